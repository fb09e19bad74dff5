/** Taxis, with and without a header, and rented bicycles. */
import type { Case } from "../case.ts";
import { clock, csv, hexadecimal, records, scrambled } from "../invented.ts";

const SAN_FRANCISCO = [37.76, -122.42] as const;
const NEW_YORK = [40.75, -73.98] as const;
const miles = ({ chance }: { chance: number }): string => (chance * 12 + 0.1).toFixed(2);

/** A cab's track: a file of its own, spaces between fields, newest first. */
const track = (users: number): string =>
  csv(
    {
      latitude: ({ latitude }) => latitude.toFixed(5),
      longitude: ({ longitude }) => longitude.toFixed(5),
      occupied: ({ chance }) => (chance < 0.4 ? 1 : 0),
      time: ({ time }) => time / 1000,
    },
    { city: SAN_FRANCISCO, start: "2008-05-18T06:00:00Z", users },
    { delimiter: " ", header: false },
  );

export const TAXIS_AND_BIKES: readonly Case[] = [
  {
    name: "a file for each cab, spaces, no header",
    files: { "new_abboip.txt": track(3), "new_abcoij.txt": track(4), "new_abdremlu.txt": track(5) },
    source: "new_*.txt",
    right: { user: "filename", value: "column3", lat: "column1", lon: "column2", "time-format": [null, "epoch-s"] },
  },
  {
    name: "taxi ids, times and places without a header",
    files: {
      "1.txt": csv(
        {
          id: ({ user }) => 1 + user,
          time: ({ time }) => clock(time, "yyyy-MM-dd HH:mm:ss"),
          longitude: ({ longitude }) => longitude.toFixed(5),
          latitude: ({ latitude }) => latitude.toFixed(5),
        },
        { city: [39.92, 116.4], start: "2008-02-02T15:36:08Z" },
        { header: false },
      ),
    },
    right: { user: "column1", value: null, lat: "column4", lon: "column3", time: "column2" },
  },
  {
    name: "taxis with points in text and an id for each trip",
    files: {
      "train.csv": csv(
        {
          TRIP_ID: ({ at, user }) => `137263${6858 + at}62000${user}`,
          CALL_TYPE: ({ chance }) => "ABC"[Math.floor(chance * 3)]!,
          ORIGIN_CALL: () => "",
          ORIGIN_STAND: ({ group }) => group + 10,
          TAXI_ID: ({ user }) => 20000000 + user,
          TIMESTAMP: ({ time }) => time / 1000,
          DAY_TYPE: () => "A",
          MISSING_DATA: () => "False",
          POLYLINE: ({ longitude, latitude }) =>
            `[[${longitude.toFixed(6)},${latitude.toFixed(6)}],[${longitude.toFixed(6)},${latitude.toFixed(6)}]]`,
          TRIP_SECONDS: ({ chance }) => 15 * Math.floor(chance * 90),
        },
        { city: [41.15, -8.61], start: "2013-07-01T00:00:58Z" },
      ),
    },
    right: { user: "TAXI_ID", value: "TRIP_SECONDS", by: ["ORIGIN_STAND", null] },
  },
  {
    name: "taxi trips with a medallion and a driver's licence",
    files: {
      "trip_data_1.csv": csv(
        {
          medallion: ({ user }) => hexadecimal(user).toUpperCase(),
          hack_license: ({ user, chance }) => hexadecimal(1000 + 2 * user + (chance < 0.5 ? 1 : 0)).toUpperCase(),
          vendor_id: ({ chance }) => (chance < 0.5 ? "CMT" : "VTS"),
          rate_code: () => 1,
          pickup_datetime: ({ time }) => clock(time, "yyyy-MM-dd HH:mm:ss"),
          dropoff_datetime: ({ time }) => clock(time + 600_000, "yyyy-MM-dd HH:mm:ss"),
          passenger_count: ({ chance }) => 1 + Math.floor(chance * 4),
          trip_time_in_secs: ({ chance }) => 60 + Math.floor(chance * 1200),
          trip_distance: miles,
          pickup_longitude: ({ longitude }) => longitude.toFixed(6),
          pickup_latitude: ({ latitude }) => latitude.toFixed(6),
          dropoff_longitude: ({ longitude }) => (longitude + 0.01).toFixed(6),
          dropoff_latitude: ({ latitude }) => (latitude + 0.01).toFixed(6),
        },
        { city: NEW_YORK, start: "2013-01-01T15:11:48Z" },
      ),
    },
    right: {
      user: ["hack_license", "medallion"],
      value: ["trip_distance", "trip_time_in_secs"],
      lat: "pickup_latitude",
      lon: "pickup_longitude",
      time: "pickup_datetime",
    },
    says: /medallion.*hack_license|hack_license.*medallion/s,
  },
  {
    name: "taxi trips that do not say whose",
    files: {
      "yellow_tripdata.csv": csv(
        {
          VendorID: ({ chance }) => 1 + Math.floor(chance * 2),
          tpep_pickup_datetime: ({ time }) => clock(time, "yyyy-MM-dd HH:mm:ss"),
          tpep_dropoff_datetime: ({ time }) => clock(time + 700_000, "yyyy-MM-dd HH:mm:ss"),
          passenger_count: ({ chance }) => 1 + Math.floor(chance * 3),
          trip_distance: miles,
          RatecodeID: () => 1,
          store_and_fwd_flag: () => "N",
          PULocationID: ({ group }) => 130 + group,
          DOLocationID: ({ group }) => 140 + group,
          payment_type: ({ chance }) => 1 + Math.floor(chance * 2),
          fare_amount: ({ chance }) => (3 + chance * 40).toFixed(1),
          total_amount: ({ chance }) => (4 + chance * 44).toFixed(2),
        },
        { start: "2019-01-01T00:46:40Z" },
      ),
    },
    right: { user: null, value: ["fare_amount", "total_amount"] },
    fills: { user: "PULocationID" },
  },
  {
    name: "taxi trips with AM and PM, and dollars",
    files: {
      "Taxi_Trips.csv": csv(
        {
          "Trip ID": ({ at }) => hexadecimal(at),
          "Taxi ID": ({ user }) => hexadecimal(900 + user).repeat(4),
          "Trip Start Timestamp": ({ time }) => clock(time, "MM/dd/yyyy hh:mm:ss a"),
          "Trip End Timestamp": ({ time }) => clock(time + 900_000, "MM/dd/yyyy hh:mm:ss a"),
          "Trip Miles": miles,
          "Pickup Community Area": ({ group }) => 28 + group,
          Fare: ({ chance }) => `$${(3 + chance * 30).toFixed(2)}`,
          Company: ({ chance }) => `Company ${Math.floor(chance * 4)}`,
        },
        { rows: 200 },
      ),
    },
    right: { user: "Taxi ID", value: "Fare", by: ["Pickup Community Area", "Company"] },
  },
  {
    name: "bicycle trips of 8/29/13, one id for each",
    files: {
      "201402_trip_data.csv": csv(
        {
          "Trip ID": ({ at }) => 4576 + at,
          Duration: ({ chance }) => 60 + Math.floor(chance * 2000),
          "Start Date": ({ time }) => clock(time, "M/d/yy H:mm"),
          "Start Station": ({ group }) => `Station ${group} at Main`,
          "Start Terminal": ({ group }) => 60 + group,
          "End Date": ({ time }) => clock(time + 600_000, "M/d/yy H:mm"),
          "Bike #": ({ user }) => 500 + user,
          "Subscription Type": ({ chance }) => (chance < 0.8 ? "Subscriber" : "Customer"),
          "Zip Code": ({ user }) => 94100 + user,
        },
        { start: "2013-08-29T09:08:00Z", stepSeconds: 3631 },
      ),
    },
    right: { user: "Bike #", value: "Duration", by: ["Start Station", "Start Terminal"] },
    says: /People who use several/,
  },
  {
    name: "bicycle trips without a group, months first, two-digit years",
    files: {
      "rides.csv": csv(
        {
          rider: ({ user }) => `r${scrambled(user)}`,
          started: ({ time }) => clock(time, "M/d/yy h:mm a"),
          duration_min: ({ chance }) => (1 + chance * 60).toFixed(1),
        },
        { start: "2013-08-10T09:08:00Z", stepSeconds: 20_011 },
      ),
    },
    right: { user: "rider", value: "duration_min", time: "started", "time-format": "mm/dd/yy" },
  },
  {
    name: "bicycle trips with ages and genders of users",
    files: {
      "citibike.csv": csv(
        {
          tripduration: ({ chance }) => 60 + Math.floor(chance * 2000),
          starttime: ({ time }) => clock(time, "yyyy-MM-dd HH:mm:ss"),
          stoptime: ({ time }) => clock(time + 600_000, "yyyy-MM-dd HH:mm:ss"),
          "start station id": ({ group }) => 3100 + group,
          "start station name": ({ group }) => `Corner ${group}`,
          "start station latitude": ({ group }) => (40.7 + group / 100).toFixed(6),
          "start station longitude": ({ group }) => (-73.9 - group / 100).toFixed(6),
          bikeid: ({ user }) => 31000 + user,
          usertype: ({ chance }) => (chance < 0.8 ? "Subscriber" : "Customer"),
          "birth year": ({ user }) => 1960 + user,
          gender: ({ user }) => user % 3,
        },
        { start: "2019-01-01T00:01:47Z" },
      ),
    },
    right: { user: "bikeid", value: "tripduration" },
    says: /People who use several/,
  },
  {
    name: "bicycle trips, only an id for each ride",
    files: {
      "divvy.csv": csv(
        {
          ride_id: ({ at }) => hexadecimal(at).slice(0, 16).toUpperCase(),
          rideable_type: ({ chance }) => (chance < 0.5 ? "electric_bike" : "classic_bike"),
          started_at: ({ time }) => clock(time, "yyyy-MM-dd HH:mm:ss"),
          ended_at: ({ time }) => clock(time + 600_000, "yyyy-MM-dd HH:mm:ss"),
          start_station_name: ({ group }) => `Avenue ${group}`,
          start_station_id: ({ group }) => `KA${1503000 + group}`,
          start_lat: ({ latitude }) => latitude.toFixed(6),
          start_lng: ({ longitude }) => longitude.toFixed(6),
          member_casual: ({ chance }) => (chance < 0.7 ? "member" : "casual"),
          minutes: ({ chance }) => (chance * 50 + 1).toFixed(2),
        },
        { start: "2023-01-01T00:01:47Z" },
      ),
    },
    right: { user: null, value: "minutes" },
    fills: { user: "ride_id" },
    says: /'ride_id' differs in every row/,
    adds: "--one-record-per-user",
  },
  {
    name: "scooters, coordinates called x and y",
    files: {
      "scooters.csv": csv(
        {
          scooter_id: ({ user }) => hexadecimal(user).slice(0, 8),
          x: ({ longitude }) => longitude.toFixed(6),
          y: ({ latitude }) => latitude.toFixed(6),
          recorded_at: ({ time }) => clock(time, "yyyy-MM-ddTHH:mm:ssZ"),
          battery_level: ({ chance }) => Math.floor(chance * 100),
        },
        { city: [48.2, 16.37] },
      ),
    },
    right: { user: "scooter_id", value: "battery_level", lat: "y", lon: "x", time: "recorded_at" },
  },
  {
    name: "taxi calls as JSON, milliseconds since 1970",
    files: {
      "calls.json": JSON.stringify(
        records({ city: [1.35, 103.82], start: "2020-02-01T00:00:00Z" }).map(
          ({ user, time, latitude, longitude, chance }) => ({
            driver: { id: `d-${hexadecimal(user).slice(0, 6)}` },
            pingTimestamp: time,
            lat: Number(latitude.toFixed(5)),
            lng: Number(longitude.toFixed(5)),
            speed: Number((chance * 20).toFixed(2)),
          }),
        ),
      ),
    },
    right: { user: "driver.id", value: "speed", lat: "lat", lon: "lng", time: "pingTimestamp" },
  },
];
