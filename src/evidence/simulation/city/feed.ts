/** Produces the city's records in order of time, one at a time; memory grows with the vehicles, not with the records. */
import { itemAt } from "../../../core/errors/index.ts";
import { type CheckedCityOptions, type City, dutyOf, trafficOf } from "./city.ts";
import { mix, triangular } from "./draws.ts";
import { type Block, DAY_SECONDS, reportAtOrAfter, reportSecond } from "./fleet.ts";
import { CENTRE, METRES_PER_DEGREE_LATITUDE, METRES_PER_DEGREE_LONGITUDE } from "./map.ts";
import { BusMotion } from "./motion.ts";
import { MOST_KMH } from "./traffic.ts";

/** The position's error is triangular within so many metres: four to a standard deviation. */
const POSITION_NOISE_METRES = 10;
/** One report in 256 has a reflected signal, and four times the error. */
const REFLECTION_FACTOR = 4;
const SPEED_NOISE_TENTHS = 25;

/** A vehicle's day, and how far it has come. */
interface Reporter {
  readonly bus: BusMotion;
  readonly blocks: readonly Block[];
  /** The number of its current block, and of its next report in it. */
  block: number;
  report: number;
  /** The next vehicle that reports in the same second. */
  after: Reporter | undefined;
}

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
  readonly #noiseSeed: number;
  readonly #buses: readonly BusMotion[];
  /** The first vehicle of each second's list. */
  readonly #first: Array<Reporter | undefined> = new Array(DAY_SECONDS).fill(undefined);
  #waiting: Reporter | undefined;

  constructor(options: CheckedCityOptions, city: City) {
    this.#options = options;
    this.#city = city;
    this.#buses = city.vehicles.map((vehicle) => new BusMotion(vehicle));
    this.#noiseSeed = mix(options.seed >>> 0, Math.floor(options.seed / 2 ** 32));
  }

  /** False once there are no more records. */
  next(): boolean {
    while (this.#waiting === undefined) {
      this.second += 1;
      if (this.second >= this.#options.toSecond) {
        if (this.day + 1 >= this.#city.days) return false;
        this.#beginDay(this.day + 1);
      }
      this.#waiting = this.#first[this.second];
      this.#first[this.second] = undefined;
    }
    const reporter = this.#waiting;
    this.#waiting = reporter.after;
    this.bus = reporter.bus;
    this.bus.moveTo(this.second);
    this.#measure();
    reporter.report += 1;
    this.#enqueue(reporter);
    return true;
  }

  #beginDay(day: number): void {
    this.day = day;
    this.second = this.#options.fromSecond;
    for (const bus of this.#buses) {
      const blocks = dutyOf(this.#options.seed, bus.vehicle, day);
      const reporter = { bus, blocks, block: 0, report: 0, after: undefined };
      this.#beginBlock(reporter);
      this.#enqueue(reporter);
    }
  }

  #beginBlock(reporter: Reporter): void {
    const { bus, blocks } = reporter;
    const block = itemAt(blocks, reporter.block);
    reporter.report = reportAtOrAfter(block, this.#interval(reporter), this.#options.fromSecond);
    bus.beginBlock(block, trafficOf(this.#options.seed, bus.vehicle, this.day, reporter.block));
  }

  #interval({ bus }: Reporter): number {
    return bus.vehicle.intervalSeconds * this.#city.pace;
  }

  /** Puts the vehicle where its next report outside all gaps is due, if there is one today. */
  #enqueue(reporter: Reporter): void {
    for (;;) {
      const block = itemAt(reporter.blocks, reporter.block);
      const second = this.#nextSecond(block, reporter);
      if (second < block.end) {
        if (second >= this.#options.toSecond) return;
        reporter.after = this.#first[second];
        this.#first[second] = reporter;
        return;
      }
      if (reporter.block + 1 === reporter.blocks.length) return;
      reporter.block += 1;
      this.#beginBlock(reporter);
    }
  }

  #nextSecond(block: Block, reporter: Reporter): number {
    const interval = this.#interval(reporter);
    for (;;) {
      const second = Math.floor(reportSecond(block, interval, reporter.report));
      const gap = block.gaps.find(([from, to]) => from <= second && second < to);
      if (gap === undefined) return second;
      reporter.report = Math.max(reporter.report + 1, reportAtOrAfter(block, interval, gap[1]));
    }
  }
  #measure(): void {
    const { bus, second } = this;
    const bits = mix(mix(this.#noiseSeed, bus.vehicle.index * 1024 + this.day), second);
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
