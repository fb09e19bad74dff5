/** Feeds of buses, ships and phones. */
import type { Case } from "../case.ts";
import { clock, csv, records, scrambled } from "../invented.ts";

const speed = ({ chance }: { chance: number }): string => (chance * 60).toFixed(2);

export const CITY_FEEDS: readonly Case[] = [
  {
    name: "bus positions with offsets",
    files: {
      "bus.csv": csv({
        vehicle_id: ({ user }) => 8900 + user,
        timestamp: ({ time }) => `${clock(time, "yyyy-MM-ddTHH:mm:ss")}-06:00`,
        speed,
        route_id: ({ group }) => group + 1,
        trip_id: ({ at }) => 1669500 + (at >> 2),
        latitude: ({ latitude }) => latitude.toFixed(6),
        longitude: ({ longitude }) => longitude.toFixed(6),
        trip_headsign: ({ group }) => `Line ${group} north`,
      }),
    },
    right: {
      user: "vehicle_id",
      value: "speed",
      lat: "latitude",
      lon: "longitude",
      time: "timestamp",
      tz: "-06:00",
      dedupe: null,
    },
  },
  {
    name: "nested JSON lines with points",
    files: {
      "feed.jsonl": records({ city: [12.97, 77.59] })
        .map(({ at, user, time, latitude, longitude, chance }) =>
          JSON.stringify({
            trip_id: at >> 3,
            license_plate: `KA01F${1000 + user}`,
            observationDateTime: `${clock(time, "yyyy-MM-ddTHH:mm:ss")}+05:30`,
            speed: Number((chance * 70).toFixed(3)),
            location: { type: "Point", coordinates: [Number(longitude.toFixed(5)), Number(latitude.toFixed(5))] },
          }),
        )
        .join("\n"),
    },
    right: {
      user: "license_plate",
      value: "speed",
      point: "location.coordinates",
      time: "observationDateTime",
      tz: "+05:30",
    },
  },
  {
    name: "Portuguese bus feed, days first",
    files: {
      "onibus.csv": csv(
        {
          datahora: ({ time }) => clock(time, "dd/MM/yyyy HH:mm:ss"),
          ordem: ({ user }) => `B${25500 + user}`,
          linha: ({ group }) => 400 + group,
          latitude: ({ latitude }) => latitude.toFixed(6),
          longitude: ({ longitude }) => longitude.toFixed(6),
          velocidade: ({ chance }) => Math.floor(chance * 60),
        },
        { city: [-22.9, -43.2] },
        { delimiter: ";" },
      ),
    },
    right: {
      user: "ordem",
      value: "velocidade",
      lat: "latitude",
      lon: "longitude",
      time: "datahora",
      "time-format": "dd/mm/yyyy",
    },
  },
  {
    name: "bus feed without a header, months first with dashes",
    files: {
      "gps.txt": csv(
        {
          time: ({ time }) => clock(time, "MM-dd-yyyy HH:mm:ss"),
          bus: ({ user }) => `A${29000 + user}`,
          line: ({ group }) => 480 + group,
          latitude: ({ latitude }) => latitude.toFixed(6),
          longitude: ({ longitude }) => longitude.toFixed(6),
          speed,
        },
        { city: [-22.9, -43.2] },
        { header: false },
      ),
    },
    right: {
      user: "column2",
      value: "column6",
      lat: "column4",
      lon: "column5",
      time: "column1",
      "time-format": "mm-dd-yyyy",
    },
  },
  {
    name: "German trams, semicolons and decimal commas",
    files: {
      "bahnen.csv": csv(
        {
          Fahrzeugnummer: ({ user }) => 2000 + user,
          Zeitstempel: ({ time }) => clock(time, "dd.MM.yyyy HH:mm"),
          Geschwindigkeit: (record) => speed(record).replace(".", ","),
          Linie: ({ group }) => `U${group}`,
          Haltestelle: ({ group, chance }) => `Platz ${group * 3 + Math.floor(chance * 3)}`,
        },
        {},
        { delimiter: ";" },
      ),
    },
    right: {
      user: "Fahrzeugnummer",
      value: "Geschwindigkeit",
      by: ["Linie", "Haltestelle"],
      "time-format": [null, "dd.mm.yyyy"],
    },
  },
  {
    name: "Polish vehicle feed",
    files: {
      "pojazdy.csv": csv(
        {
          Linia: ({ group }) => 500 + group,
          Brygada: ({ at }) => at % 9,
          NumerPojazdu: ({ user }) => 7000 + user,
          Czas: ({ time }) => clock(time, "yyyy-MM-dd HH:mm:ss"),
          Prędkość: speed,
          Szerokość: ({ latitude }) => latitude.toFixed(5),
          Długość: ({ longitude }) => longitude.toFixed(5),
        },
        { city: [52.23, 21.01] },
      ),
    },
    right: { user: "NumerPojazdu", value: "Prędkość", lat: "Szerokość", lon: "Długość", time: "Czas" },
  },
  {
    name: "Chinese taxi feed",
    files: {
      "出租车.csv": csv(
        {
          车牌号: ({ user }) => `粤B${10000 + user}`,
          时间: ({ time }) => clock(time, "yyyy/MM/dd HH:mm:ss"),
          经度: ({ longitude }) => longitude.toFixed(6),
          纬度: ({ latitude }) => latitude.toFixed(6),
          速度: ({ chance }) => Math.floor(chance * 80),
        },
        { city: [22.55, 114.06] },
      ),
    },
    right: { user: "车牌号", value: "速度", lat: "纬度", lon: "经度", time: "时间", "time-format": "yyyy/mm/dd" },
  },
  {
    name: "microseconds since 1970, no header",
    files: {
      "siri.csv": csv(
        {
          timestamp: ({ time }) => `${time}000`,
          line: ({ group }) => 40 + group,
          longitude: ({ longitude }) => longitude.toFixed(6),
          latitude: ({ latitude }) => latitude.toFixed(6),
          delay: ({ chance }) => Math.floor(chance * 900) - 100,
          vehicle: ({ user }) => 33000 + user,
        },
        { city: [53.35, -6.26] },
        { header: false },
      ),
    },
    right: { user: "column6", value: "column5", lat: "column4", lon: "column3" },
  },
  {
    name: "ships",
    files: {
      "ais.csv": csv({
        MMSI: ({ user }) => 366900000 + user,
        BaseDateTime: ({ time }) => clock(time, "yyyy-MM-ddTHH:mm:ss"),
        LAT: ({ latitude }) => latitude.toFixed(5),
        LON: ({ longitude }) => longitude.toFixed(5),
        SOG: ({ chance }) => (chance * 20).toFixed(1),
        COG: ({ chance }) => (chance * 360).toFixed(1),
        VesselName: ({ user }) => `VESSEL ${user}`,
      }),
    },
    right: { user: "MMSI", value: "SOG", lat: "LAT", lon: "LON", time: "BaseDateTime" },
  },
  {
    name: "calls, days first with two-digit years",
    files: {
      "calls.csv": csv(
        {
          msisdn: ({ user }) => 447700900000 + user,
          cell_tower: ({ group }) => `T${group}`,
          started: ({ time }) => clock(time, "dd/MM/yy HH:mm"),
          duration_seconds: ({ chance }) => Math.floor(chance * 600),
        },
        { start: "2013-08-29T06:00:00Z" },
      ),
    },
    right: { user: "msisdn", value: "duration_seconds", by: "cell_tower", "time-format": [null, "dd/mm/yy"] },
  },
  {
    name: "latitude and longitude under each other's name",
    files: {
      "swapped.csv": csv(
        {
          bus: ({ user }) => `b${user}`,
          when: ({ time }) => clock(time, "yyyy-MM-dd HH:mm:ss"),
          lat: ({ longitude }) => longitude.toFixed(5),
          lon: ({ latitude }) => latitude.toFixed(5),
          speed,
        },
        { city: [12.97, 97.59] },
      ),
    },
    right: { user: "bus", value: "speed", lat: "lon", lon: "lat" },
    says: /each other's name/,
  },
  {
    name: "every row three times",
    files: {
      "thrice.csv": csv({
        vehicle_id: ({ user }) => user,
        trip_id: ({ at }) => 100 + (at >> 4),
        timestamp: ({ time }) => clock(time, "yyyy-MM-dd HH:mm:ss"),
        speed,
        latitude: ({ latitude }) => latitude.toFixed(6),
        longitude: ({ longitude }) => longitude.toFixed(6),
      }).replace(/^\d.*\n/gm, (row) => row.repeat(3)),
    },
    right: { user: "vehicle_id", value: "speed", dedupe: "trip_id,timestamp" },
  },
  {
    name: "phones that count steps, milliseconds since 1970",
    files: {
      "steps.csv": csv({
        device_id: ({ user }) => scrambled(user, 8),
        ts: ({ time }) => time,
        district: ({ group }) => `D${group}`,
        step_count: ({ chance }) => Math.floor(chance * 4000),
      }),
    },
    right: { user: "device_id", value: "step_count", by: "district", dedupe: null },
  },
];
