/** The city's records in order of time, one at a time, with memory for the vehicles and never for the records. */
import { type City, dutyOf, trafficOf } from "./city.ts";
import { mix, triangular } from "./draws.ts";
import { type Block, DAY_SECONDS, reportAtOrAfter, reportSecond } from "./duty.ts";
import { CENTRE, METRES_PER_DEGREE_LATITUDE, METRES_PER_DEGREE_LONGITUDE } from "./map.ts";
import { BusMotion } from "./motion.ts";
import type { CheckedCityOptions } from "./options.ts";
import { MOST_KMH } from "./traffic.ts";

/** The position's error is triangular within so many metres: four to a standard deviation. */
const POSITION_NOISE_METRES = 10;
/** One report in 256 has a reflected signal, and four times the error. */
const REFLECTION_FACTOR = 4;
const SPEED_NOISE_TENTHS = 25;

/**
 * A cursor: `next()` moves it to the next record, whose fields it then holds.
 *
 * Each vehicle waits in the list of the second in which it reports next. Noise is a hash of vehicle, day and second, and so
 * the records of some hours are the same whether or not the other hours are asked for.
 */
export class CityFeed {
  day = -1;
  second = DAY_SECONDS;
  /** The vehicle, its trip and its delay. */
  bus!: BusMotion;
  latitudeMicro = 0;
  longitudeMicro = 0;
  speedTenths = 0;
  /** Bits that belong to this record, for whoever needs to draw more about it. */
  bits = 0;

  readonly #options: CheckedCityOptions;
  readonly #city: City;
  readonly #buses: readonly BusMotion[];
  readonly #noiseSeed: number;
  /** Each vehicle's blocks of the day, its current one and the number of its next report in it. */
  readonly #blocks: Block[][];
  readonly #block: Uint8Array;
  readonly #report: Float64Array;
  /** The first vehicle of each second's list, and the one after each vehicle; −1 ends a list. */
  readonly #first = new Int32Array(DAY_SECONDS).fill(-1);
  readonly #after: Int32Array;
  #waiting = -1;

  constructor(options: CheckedCityOptions, city: City) {
    this.#options = options;
    this.#city = city;
    this.#buses = city.vehicles.map((vehicle) => new BusMotion(vehicle));
    this.#noiseSeed = mix(options.seed >>> 0, Math.floor(options.seed / 2 ** 32));
    this.#blocks = city.vehicles.map(() => []);
    this.#block = new Uint8Array(city.vehicles.length);
    this.#report = new Float64Array(city.vehicles.length);
    this.#after = new Int32Array(city.vehicles.length).fill(-1);
  }

  /** False once there are no more records. */
  next(): boolean {
    while (this.#waiting < 0) {
      this.second += 1;
      if (this.second >= this.#options.toSecond) {
        if (this.day + 1 >= this.#city.days) return false;
        this.#beginDay(this.day + 1);
      }
      this.#waiting = this.#first[this.second]!;
      this.#first[this.second] = -1;
    }
    const index = this.#waiting;
    this.#waiting = this.#after[index]!;
    this.bus = this.#buses[index]!;
    this.bus.moveTo(this.second);
    this.#measure(index);
    this.#report[index]! += 1;
    this.#enqueue(index);
    return true;
  }

  #beginDay(day: number): void {
    this.day = day;
    this.second = this.#options.fromSecond;
    for (const [index, bus] of this.#buses.entries()) {
      this.#blocks[index] = dutyOf(this.#options.seed, bus.vehicle, day);
      this.#block[index] = 0;
      this.#beginBlock(index);
      this.#enqueue(index);
    }
  }

  #beginBlock(index: number): void {
    const block = this.#blocks[index]![this.#block[index]!]!;
    this.#report[index] = reportAtOrAfter(block, this.#interval(index), this.#options.fromSecond);
    const bus = this.#buses[index]!;
    bus.beginBlock(block, trafficOf(this.#options.seed, bus.vehicle, this.day, this.#block[index]!));
  }

  #interval(index: number): number {
    return this.#buses[index]!.vehicle.intervalSeconds * this.#city.pace;
  }

  /** Puts the vehicle where its next report outside all gaps is due, if there is one today. */
  #enqueue(index: number): void {
    for (;;) {
      const block = this.#blocks[index]![this.#block[index]!]!;
      const second = this.#nextSecond(block, index);
      if (second < block.end) {
        if (second >= this.#options.toSecond) return;
        this.#after[index] = this.#first[second]!;
        this.#first[second] = index;
        return;
      }
      if (this.#block[index]! + 1 === this.#blocks[index]!.length) return;
      this.#block[index]! += 1;
      this.#beginBlock(index);
    }
  }

  #nextSecond(block: Block, index: number): number {
    const interval = this.#interval(index);
    for (;;) {
      const second = Math.floor(reportSecond(block, interval, this.#report[index]!));
      const gapEnd = endOfGapAt(block.gaps, second);
      if (gapEnd < 0) return second;
      this.#report[index] = Math.max(this.#report[index]! + 1, reportAtOrAfter(block, interval, gapEnd));
    }
  }

  #measure(index: number): void {
    const { bus, second } = this;
    const bits = mix(mix(this.#noiseSeed, index * 1024 + this.day), second);
    const more = mix(bits, 0x5bd1e995);
    const reach = (more & 255) === 0 ? POSITION_NOISE_METRES * REFLECTION_FACTOR : POSITION_NOISE_METRES;
    const east = bus.x + reach * triangular(bits);
    const north = bus.y + reach * triangular(mix(bits, more));
    this.latitudeMicro = Math.round((CENTRE.latitude + north / METRES_PER_DEGREE_LATITUDE) * 1e6);
    this.longitudeMicro = Math.round((CENTRE.longitude + east / METRES_PER_DEGREE_LONGITUDE) * 1e6);
    // A bus that stands says so: sensors suppress the drift of their position.
    const tenths = bus.speed === 0 ? 0 : bus.speed * 36 + SPEED_NOISE_TENTHS * triangular(more);
    this.speedTenths = Math.min(MOST_KMH * 10, Math.max(0, Math.round(tenths)));
    this.bits = mix(more, bits);
  }
}

/** The end of the gap that holds this second, or −1. */
function endOfGapAt(gaps: readonly number[], second: number): number {
  for (let gap = 0; gap < gaps.length && gaps[gap]! <= second; gap += 2) {
    if (second < gaps[gap + 1]!) return gaps[gap + 1]!;
  }
  return -1;
}
