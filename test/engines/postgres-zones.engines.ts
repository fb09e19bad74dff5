/** The PostgreSQL engine in every kind of time zone. */
import { describeZoneConformance } from "../conformance/zone-conformance.ts";
import { openPostgres, setUpClient, writeTextTable } from "./support/postgres-tables.ts";

describeZoneConformance("PostgreSQL", openPostgres, writeTextTable(setUpClient()));
