/** Moves a bus along its route, second by second, with stops and red lights. */
import { itemAt } from "../../../core/errors/index.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { between } from "./draws.ts";
import { type Block, runSeconds, type Vehicle } from "./fleet.ts";
import { type Path, pointOn, streetAt } from "./routes.ts";
import {
  ACCELERATION,
  crowdingAt,
  cruisingKmh,
  DWELL_SECONDS,
  driveSeconds,
  dwellFactor,
  HALT_SECONDS,
  haltChance,
  PASSED_STOPS,
} from "./traffic.ts";

/** A bus does not turn round faster than this, however late it is. */
const LEAST_LAYOVER_SECONDS = 90;
/** No halt closer than this to a stop: it would be part of the stop's queue. */
const HALT_MARGIN_METRES = 60;

/** Follows one vehicle through a block. Asked only for later and later seconds, so that it keeps a place and no history. */
export class BusMotion {
  readonly vehicle: Vehicle;
  /** Metres east and north of the centre, and metres per second, at the second last asked for. */
  x = 0;
  y = 0;
  speed = 0;
  /** The number of the trip within the day, from 1. */
  trip = 0;
  goesOut = true;
  /** Seconds behind the timetable when the bus left its latest stop. */
  delaySeconds = 0;

  #random!: SeededRandom;
  #block!: Block;
  #path!: Path;
  #tripOfBlock = 0;
  /** The path's street on which the bus is, and its latest stop. */
  #street = 0;
  #stop = 0;
  #halts = false;
  // The leg: driven from #legStart for #drive seconds up to #reached metres per second, then stood until #legEnd.
  #legFrom = 0;
  #legMetres = 0;
  #legStart = 0;
  #drive = 0;
  #reached = 0;
  #legEnd = 0;

  constructor(vehicle: Vehicle) {
    this.vehicle = vehicle;
  }

  /** What the traffic does in this block is drawn from `random`, leg by leg. */
  beginBlock(block: Block, random: SeededRandom): void {
    this.#block = block;
    this.#random = random;
    this.#tripOfBlock = 0;
    this.#halts = false;
    this.#beginTrip(block.start);
  }

  moveTo(second: number): void {
    while (second >= this.#legEnd) this.#nextLeg();
    const since = second - this.#legStart;
    let metres = this.#legMetres;
    this.speed = 0;
    if (since < this.#drive) {
      const rampSeconds = this.#reached / ACCELERATION;
      const left = this.#drive - since;
      if (since < rampSeconds) {
        this.speed = ACCELERATION * since;
        metres = (this.speed * since) / 2;
      } else if (left < rampSeconds) {
        this.speed = ACCELERATION * left;
        metres -= (this.speed * left) / 2;
      } else {
        this.speed = this.#reached;
        metres = this.#reached * (since - rampSeconds / 2);
      }
    }
    const at = this.#legFrom + metres;
    const { streets } = this.#path;
    this.#street = streetAt(streets, at, this.#street);
    ({ x: this.x, y: this.y } = pointOn(itemAt(streets, this.#street), at));
  }

  /** Waits at the first stop until the timetable, or the layover, lets the bus go. */
  #beginTrip(now: number): void {
    const { vehicle } = this;
    this.goesOut = this.#block.startsOut === (this.#tripOfBlock % 2 === 0);
    this.#path = this.goesOut ? vehicle.route.out : vehicle.route.back;
    this.trip = this.#block.tripsBefore + this.#tripOfBlock + 1;
    this.#street = 0;
    this.#stop = 0;
    this.#legFrom = 0;
    this.#legMetres = 0;
    this.#stand(now, Math.max(this.#departure, now + LEAST_LAYOVER_SECONDS));
  }

  get #departure(): number {
    return itemAt(this.#block.departures, this.#tripOfBlock);
  }

  #stand(from: number, to: number): void {
    this.#legStart = from;
    this.#drive = 0;
    this.#legEnd = to;
  }

  #nextLeg(): void {
    const now = this.#legEnd;
    const path = this.#path;
    const at = this.#legFrom + this.#legMetres;
    const isAtStop = !this.#halts;
    if (isAtStop && this.#stop === path.stops.length - 1) {
      this.#endTrip(now);
      return;
    }
    const random = this.#random;
    const crowding = crowdingAt(now);
    if (isAtStop) {
      this.delaySeconds = Math.round(now - this.#timetabled(at));
      this.#stop += 1;
      if (this.#stop < path.stops.length - 1 && random.uniform() < PASSED_STOPS) this.#stop += 1;
    }
    const { metres, radius } = itemAt(path.stops, this.#stop);
    const whole = metres - at;
    this.#halts = isAtStop && whole > 3 * HALT_MARGIN_METRES && random.uniform() < haltChance(radius, crowding);
    this.#legFrom = at;
    this.#legMetres = this.#halts ? between(random, HALT_MARGIN_METRES, whole - HALT_MARGIN_METRES) : whole;
    const kmh = cruisingKmh(radius, crowding) * this.vehicle.pace * between(random, 0.84, 1.16);
    this.#reached = Math.min(kmh / 3.6, Math.sqrt(ACCELERATION * this.#legMetres));
    this.#legStart = now;
    this.#drive = driveSeconds(this.#legMetres, this.#reached);
    this.#legEnd = now + this.#drive + this.#standSeconds(crowding);
  }

  #standSeconds(crowding: number): number {
    if (this.#halts) return between(this.#random, HALT_SECONDS.least, HALT_SECONDS.most);
    return between(this.#random, DWELL_SECONDS.least, DWELL_SECONDS.most) * dwellFactor(crowding);
  }

  /** When the timetable has the bus at this point of the trip. */
  #timetabled(metres: number): number {
    const run = runSeconds(this.vehicle, this.goesOut, this.#departure);
    return this.#departure + (run * metres) / this.#path.metres;
  }

  #endTrip(now: number): void {
    this.#legFrom += this.#legMetres;
    this.#legMetres = 0;
    this.#tripOfBlock += 1;
    if (this.#tripOfBlock < this.#block.departures.length) this.#beginTrip(now);
    else {
      this.#tripOfBlock -= 1;
      this.#stand(now, Number.POSITIVE_INFINITY);
    }
  }
}
