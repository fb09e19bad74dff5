/** To come. */
import type { Session } from "../session.ts";

export function AddPage({ session }: { session: Session }) {
  return <div class="page">{session.role}</div>;
}
