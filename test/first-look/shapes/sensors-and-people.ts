/** Readings of sensors, and records of patients, pupils and employees. */
import type { Case } from "../case.ts";
import { clock, csv, hexadecimal, scrambled } from "../invented.ts";

const reading = ({ chance }: { chance: number }): string => (chance * 90).toFixed(1);

export const SENSORS_AND_PEOPLE: readonly Case[] = [
  {
    name: "air quality, several pollutants in one column",
    files: {
      "openaq.csv": csv(
        {
          location_id: ({ user }) => 2100 + user,
          sensors_id: ({ user }) => 7700 + user,
          location: ({ user }) => `Crossing ${user}`,
          datetime: ({ time }) => `${clock(time, "yyyy-MM-ddTHH:mm:ss")}+01:00`,
          lat: ({ user }) => (52.4 + user / 100).toFixed(5),
          lon: ({ user }) => (13.3 + user / 100).toFixed(5),
          parameter: ({ chance }) => ["pm25", "no2", "o3"][Math.floor(chance * 3)]!,
          units: () => "ug/m3",
          value: reading,
        },
        { rows: 300 },
      ),
    },
    right: { user: ["sensors_id", "location_id"], value: "value", by: "parameter", lat: "lat", lon: "lon" },
  },
  {
    name: "air quality of citizens' sensors, semicolons",
    files: {
      "sds011.csv": csv(
        {
          sensor_id: ({ user }) => 140 + user,
          sensor_type: () => "SDS011",
          location: ({ user }) => 65 + user,
          lat: ({ user }) => (48.7 + user / 100).toFixed(3),
          lon: ({ user }) => (9.1 + user / 100).toFixed(3),
          timestamp: ({ time }) => clock(time, "yyyy-MM-ddTHH:mm:ss"),
          P1: reading,
          durP1: () => "",
          P2: ({ chance }) => (chance * 40).toFixed(2),
        },
        { rows: 200 },
        { delimiter: ";" },
      ),
    },
    right: { user: "sensor_id", value: ["P1", "P2"], lat: "lat", lon: "lon", time: "timestamp" },
  },
  {
    name: "air of a city, NA where nothing was measured",
    files: {
      "PRSA_data.csv": csv(
        {
          No: ({ at }) => 1 + at,
          year: () => 2013,
          month: () => 3,
          day: ({ at }) => 1 + Math.floor(at / 24),
          hour: ({ at }) => at % 24,
          "PM2.5": ({ chance }) => (chance < 0.1 ? "NA" : (chance * 300).toFixed(0)),
          TEMP: ({ chance }) => (chance * 30 - 5).toFixed(1),
          wd: ({ group }) => ["N", "NE", "E", "SE", "S", "W"][group]!,
          station: ({ user }) => `Station${user}`,
        },
        { rows: 300 },
      ),
    },
    right: { user: ["station"], value: "PM2.5", missing: "midpoint" },
  },
  {
    name: "smart meters of households",
    files: {
      "meters.csv": csv(
        {
          LCLid: ({ user }) => `MAC${String(user).padStart(6, "0")}`,
          stdorToU: ({ user }) => (user % 4 === 0 ? "ToU" : "Std"),
          DateTime: ({ time }) => clock(time, "yyyy-MM-dd HH:mm:ss.0000000"),
          "KWH/hh (per half hour) ": ({ chance }) => (chance * 2).toFixed(3),
        },
        { rows: 300, stepSeconds: 1800 },
      ),
    },
    right: { user: "LCLid", value: "KWH/hh (per half hour)", time: ["DateTime", null] },
  },
  {
    name: "sensors of a laboratory, spaces, no header",
    files: {
      "lab.txt": csv(
        {
          date: ({ time }) => clock(time, "yyyy-MM-dd"),
          time: ({ time }) => clock(time, "HH:mm:ss.35"),
          epoch: ({ at }) => 2 + at,
          moteid: ({ user }) => 1 + user,
          temperature: ({ chance }) => (18 + chance * 9).toFixed(4),
          humidity: ({ chance }) => (30 + chance * 15).toFixed(4),
          light: ({ chance }) => (chance * 140).toFixed(2),
          voltage: ({ chance }) => (2.5 + chance / 5).toFixed(5),
        },
        { rows: 200, start: "2004-03-31T03:38:15Z" },
        { delimiter: " ", header: false },
      ),
    },
    right: { user: "column4", value: ["column5", "column6"], time: ["column1", null] },
  },
  {
    name: "meters of a trial, days and half hours in one number, no header",
    files: {
      "cer.txt": csv(
        {
          meter: ({ user }) => 1000 + user,
          code: ({ at }) => `${195 + (at >> 4)}${String(1 + (at % 48)).padStart(2, "0")}`,
          kwh: ({ chance }) => (chance * 3).toFixed(3),
        },
        { rows: 200 },
        { delimiter: " ", header: false },
      ),
    },
    right: { user: "column1", value: "column3", by: ["column2", null] },
    fills: { by: "column2" },
  },
  {
    name: "a survey, one answer each",
    files: {
      "survey.csv": csv(
        {
          respondent_id: ({ at }) => scrambled(at, 8),
          region: ({ group }) => `Region ${group}`,
          age: ({ chance }) => 18 + Math.floor(chance * 60),
          life_satisfaction: ({ chance }) => Math.floor(chance * 11),
        },
        { rows: 150 },
      ),
    },
    right: { user: null, value: ["life_satisfaction", "age"], by: "region" },
    fills: { user: "respondent_id" },
    says: /'respondent_id' differs in every row/,
    adds: "--one-record-per-user",
  },
  {
    name: "visits of patients",
    files: {
      "visits.csv": csv(
        {
          visit_id: ({ at }) => scrambled(at, 8),
          patient_id: ({ user }) => `P-${hexadecimal(user).slice(0, 6)}`,
          ward: ({ group }) => `Ward ${group}`,
          admitted: ({ time }) => clock(time, "dd/MM/yyyy HH:mm"),
          systolic_bp: ({ chance }) => 95 + Math.floor(chance * 70),
        },
        { rows: 200, users: 40 },
      ),
    },
    right: { user: "patient_id", value: "systolic_bp", by: "ward", dedupe: null },
  },
  {
    name: "grades of pupils by school and subject",
    files: {
      "grades.csv": csv(
        {
          student: ({ user }) => `S${scrambled(user)}`,
          school: ({ user }) => `School ${user % 4}`,
          exam: ({ group }) => ["Maths", "Physics", "Art", "Music", "History", "Sport"][group]!,
          score: ({ chance }) => Math.floor(chance * 100),
        },
        { rows: 240, users: 40 },
      ),
    },
    right: { user: "student", value: "score", by: ["school", "exam"] },
  },
  {
    name: "wages by department and month",
    files: {
      "payroll.csv": csv(
        {
          "Employee No": ({ user }) => 40_000 + user,
          Department: ({ group }) => `Dept ${group}`,
          Month: ({ at }) => `2023-${String(1 + (at % 12)).padStart(2, "0")}`,
          "Gross Salary": ({ chance }) => (2000 + chance * 4000).toFixed(2),
        },
        { rows: 240, users: 40 },
      ),
    },
    right: { user: "Employee No", value: "Gross Salary", by: "Department" },
  },
  {
    name: "weather of aircraft as reported by the second",
    files: {
      "states.csv": csv({
        time: ({ time }) => time / 1000,
        icao24: ({ user }) => hexadecimal(user).slice(0, 6),
        lat: ({ latitude }) => latitude.toFixed(4),
        lon: ({ longitude }) => longitude.toFixed(4),
        velocity: ({ chance }) => (80 + chance * 200).toFixed(2),
        callsign: ({ user }) => `FLT${user}`,
      }),
    },
    right: { user: ["icao24", "callsign"], value: "velocity", lat: "lat", lon: "lon", time: "time" },
  },
  {
    name: "runners' hearts",
    files: {
      "hearts.csv": csv(
        {
          Id: ({ user }) => 1_503_960_366 + user,
          Time: ({ time }) => clock(time, "M/d/yyyy h:mm:ss a"),
          Value: ({ chance }) => 60 + Math.floor(chance * 80),
        },
        { rows: 200, start: "2016-04-12T07:21:00Z", stepSeconds: 1801 },
      ),
    },
    right: { user: "Id", value: "Value", time: "Time", "time-format": "mm/dd/yyyy" },
    says: /--user/,
  },
  {
    name: "sensors with readings before 1900 by mistake",
    files: {
      "clocks.csv": csv(
        {
          device: ({ user }) => `d${user}`,
          seen: ({ time }) => clock(time, "yyyy-MM-dd HH:mm"),
          temperature: reading,
        },
        { start: "1816-12-13T06:00:00Z" },
      ),
    },
    right: { user: "device", value: "temperature", time: "seen" },
    refused: /1900|1816/,
  },
];
