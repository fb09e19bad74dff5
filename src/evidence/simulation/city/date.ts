/** Calendar days as text, by arithmetic alone: a simulated day has no clock and no time zone database. */

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Whether the text is a day of the calendar, as 2026-03-10, from the year 1900 to 2199. */
export function isDate(text: string): boolean {
  if (!/^(19|20|21)\d\d-\d\d-\d\d$/.test(text)) return false;
  const [year, month, day] = partsOf(text);
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

/** The date so many days later. */
export function dateAfter(date: string, days: number): string {
  let [year, month, day] = partsOf(date);
  day += days;
  for (let length = daysOf(year, month); day > length; length = daysOf(year, month)) {
    day -= length;
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
  }
  return `${year}-${pad(month)}-${pad(day)}`;
}

/** A second of the day as 09:00:03. */
export function clockText(second: number): string {
  return `${pad(Math.floor(second / 3600))}:${pad(Math.floor(second / 60) % 60)}:${pad(second % 60)}`;
}

/** Minutes ahead of UTC as +05:30. */
export function offsetText(minutes: number): string {
  const ahead = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${pad(Math.floor(ahead / 60))}:${pad(ahead % 60)}`;
}

function partsOf(date: string): [year: number, month: number, day: number] {
  return [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10))];
}

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : DAYS_OF_MONTH[month - 1]!;
}

function pad(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
