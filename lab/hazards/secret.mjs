/** A marker in protected data that no hash, time, port or public number of these runs holds by chance. */
export const SECRET = "471108154711";
