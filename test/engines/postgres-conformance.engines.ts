/** The PostgreSQL engine over tables of text columns and of typed ones: everything that engines do alike. */
import { describeEngineConformance } from "../conformance/engine-conformance.ts";
import { openPostgres, setUpClient, writeTextTable, writeTypedTable } from "./support/postgres-tables.ts";

const client = setUpClient();
const traits = { absentIds: "null", faults: "counted" } as const;

describeEngineConformance("PostgreSQL over text", openPostgres, writeTextTable(client), traits);
describeEngineConformance("PostgreSQL over types", openPostgres, writeTypedTable(client), traits);
