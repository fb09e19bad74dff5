/** Coordinates in degrees as a point of the unit sphere, by a table of whole degrees and a short series for the rest. */

const LOWEST = -180;
const DEGREES = 361;
const RADIANS = Math.PI / 180;

const wholeDegrees = Float64Array.from({ length: DEGREES }, (_, at) => (at + LOWEST) * RADIANS);
const SINES = wholeDegrees.map(Math.sin);
const COSINES = wholeDegrees.map(Math.cos);

/** Puts x, y and z into `point`, each to within 10^-15. Latitudes beyond ±90 and longitudes beyond ±180 are not asked about. */
export function putOnSphere(latitude: number, longitude: number, point: Float64Array): void {
  const parallel = (latitude - LOWEST + 0.5) | 0;
  const north = (latitude - (parallel + LOWEST)) * RADIANS;
  const northSine = smallSine(north);
  const northCosine = smallCosine(north);
  const radius = COSINES[parallel]! * northCosine - SINES[parallel]! * northSine;
  const meridian = (longitude - LOWEST + 0.5) | 0;
  const east = (longitude - (meridian + LOWEST)) * RADIANS;
  const eastSine = smallSine(east);
  const eastCosine = smallCosine(east);
  point[0] = radius * (COSINES[meridian]! * eastCosine - SINES[meridian]! * eastSine);
  point[1] = radius * (SINES[meridian]! * eastCosine + COSINES[meridian]! * eastSine);
  point[2] = SINES[parallel]! * northCosine + COSINES[parallel]! * northSine;
}

// Half a degree is 0.0087: the first power left out adds less than 10^-20.
function smallSine(x: number): number {
  const square = x * x;
  return x * (1 - square * (1 / 6 - square * (1 / 120 - square * (1 / 5040))));
}

function smallCosine(x: number): number {
  const square = x * x;
  return 1 - square * (1 / 2 - square * (1 / 24 - square * (1 / 720)));
}
