/** Chooses what a grid is: a place, a group, a time, and which of them are wanted. */
import { useMemo } from "preact/hooks";
import { hexagonWords, RESOLUTIONS } from "../../hexagon-size.ts";
import { Card } from "../../parts/card.tsx";
import { Switch } from "../../parts/switch.tsx";
import { slotWords } from "../../slot-words.ts";
import { type AddForm, sizeFor } from "./add-form.ts";
import { ColumnField, ColumnsField } from "./column-fields.tsx";
import { ChoiceField, TextField } from "./field.tsx";
import type { FormState } from "./form-state.ts";

const SLOTS = ["15m", "30m", "1h", "3h", "6h", "1d", "1w"] as const;
const FORMATS = [
  { value: "auto", label: "as they are recognised" },
  { value: "iso", label: "2026-03-10 09:00" },
  { value: "epoch-s", label: "seconds since 1970" },
  { value: "epoch-ms", label: "milliseconds since 1970" },
  { value: "dd/mm/yyyy", label: "31/12/2026 (day first)" },
  { value: "mm/dd/yyyy", label: "12/31/2026 (month first)" },
  { value: "dd/mm/yy", label: "31/12/26 (day first)" },
  { value: "mm/dd/yy", label: "12/31/26 (month first)" },
  { value: "dd.mm.yyyy", label: "31.12.2026" },
  { value: "yyyy/mm/dd", label: "2026/12/31" },
] as const;
const SIZES = RESOLUTIONS.map((resolution) => ({
  value: String(resolution),
  label: `${resolution}: ${hexagonWords(resolution)}`,
}));

export function GridsPart({ of }: { of: FormState }) {
  const { form, change } = of;
  return (
    <Card
      title="What a grid is"
      lead="Every grid gets statistics of its own: a hexagon on the map, a shop, an hour, or a mixture."
    >
      <Switch
        legend="Grids are"
        options={[
          { value: "hexagons", label: "Places on a map" },
          { value: "columns", label: "Columns of the file" },
          { value: "nothing", label: "Times only" },
        ]}
        value={form.place}
        onChange={(place) => change({ place })}
      />
      {form.place === "hexagons" ? <PlaceFields of={of} /> : null}
      {form.place === "columns" ? (
        <ColumnsField
          of={of}
          field="by"
          label="Grouped by"
          hint="Each combination of what stands in these columns is a grid. They must not tell what is protected."
        />
      ) : null}
      <TimeFields of={of} />
      <WhichGrids of={of} />
      <details>
        <summary>Repeated records and gaps</summary>
        <div class="details">
          <ColumnsField
            of={of}
            field="dedupe"
            label="Count once what agrees in"
            hint="Beside user and grid. None chosen: every record counts."
          />
          <ChoiceField
            of={of}
            field="emptyUser"
            label="Records without a user"
            options={[
              { value: "refuse", label: "stop and tell me" },
              { value: "drop", label: "leave out" },
              { value: "one", label: "count as those of one user" },
            ]}
          />
          <ChoiceField
            of={of}
            field="missing"
            label="Records without a number"
            options={[
              { value: "refuse", label: "stop and tell me" },
              { value: "midpoint", label: "count as the middle of the bounds" },
              { value: "drop", label: "leave out" },
            ]}
            hint="Leaving out tells who had no number; the middle does not."
          />
        </div>
      </details>
    </Card>
  );
}

function PlaceFields({ of }: { of: FormState }) {
  const { form, change, columns } = of;
  const has = (kind: string): boolean => columns.some(({ type }) => type === kind);
  const ways: Array<{ value: AddForm["placeIn"]; label: string }> = [
    { value: "two", label: "Latitude and longitude, two columns" },
    ...(has("point") ? [{ value: "one" as const, label: "Both in one column" }] : []),
    ...(has("cell") ? [{ value: "cell" as const, label: "Hexagons" }] : []),
  ];
  const isStored = form.placeIn === "cell";
  return (
    <>
      {ways.length > 1 ? (
        <Switch
          legend="The file has"
          options={ways}
          value={form.placeIn}
          onChange={(placeIn) => change({ placeIn, h3: sizeFor(placeIn, form.h3) })}
        />
      ) : null}
      <div class="fields">
        {form.placeIn === "two" ? (
          <>
            <ColumnField of={of} field="lat" label="Latitude" suits={["number"]} />
            <ColumnField of={of} field="lon" label="Longitude" suits={["number"]} />
          </>
        ) : isStored ? (
          <ColumnField of={of} field="cell" label="Hexagon" suits={["cell"]} hint="H3, hexadecimal or integers" />
        ) : (
          <ColumnField of={of} field="point" label="Place" suits={["point"]} hint="[longitude, latitude]" />
        )}
        <ChoiceField
          of={of}
          field="h3"
          label="Hexagon size"
          options={isStored ? [{ value: "", label: "as the file has them" }, ...SIZES] : SIZES}
          hint="Larger hexagons hold more users, so results are more exact."
        />
      </div>
    </>
  );
}

function TimeFields({ of }: { of: FormState }) {
  const zones = useMemo(() => ["UTC", ...Intl.supportedValuesOf("timeZone")], []);
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div class="fields">
      <ColumnField of={of} field="time" label="Time" suits={["time"]} none="no time" />
      {of.form.time === "" ? null : (
        <>
          <ChoiceField
            of={of}
            field="slot"
            label="Time slots"
            options={[
              { value: "", label: "none: all times together" },
              ...SLOTS.map((slot) => ({ value: slot, label: slotWords(slot) })),
            ]}
          />
          <TextField
            of={of}
            field="tz"
            label="Time zone"
            list="add-zones"
            hint={
              of.form.tz === here ? undefined : (
                <button type="button" class="in-line" onClick={() => of.change({ tz: here })}>
                  use {here}, as this computer
                </button>
              )
            }
          />
          <datalist id="add-zones">
            {zones.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <ChoiceField of={of} field="timeFormat" label="Times are written" options={FORMATS} />
        </>
      )}
    </div>
  );
}

function WhichGrids({ of }: { of: FormState }) {
  const { form, change } = of;
  return (
    <>
      <Switch
        legend="Which grids"
        options={[
          { value: "all", label: "All" },
          { value: "users", label: "With enough users" },
          { value: "top", label: "The busiest" },
        ]}
        value={form.grids}
        onChange={(grids) => change({ grids })}
      />
      <div class="fields">
        {form.grids === "users" ? (
          <TextField
            of={of}
            field="minUsers"
            label="Users per grid, at least"
            decimal
            hint="Grids with few users are mostly noise."
          />
        ) : form.grids === "top" ? (
          <TextField
            of={of}
            field="top"
            label="How many grids"
            decimal
            hint="Those with most records; fewer grids cost less privacy."
          />
        ) : null}
      </div>
    </>
  );
}
