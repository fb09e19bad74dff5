/** Keeps who is signed in while the tab is open: a token of the service, and the client that uses it. */
import { createClient, ServiceFailure } from "../../src/apps/client/index.ts";

export type Service = ReturnType<typeof createClient>;

export interface Session {
  readonly service: Service;
  /** For what the client has no method for: uploads, downloads, events. */
  readonly token: string;
  readonly role: "curator" | "analyst";
}

const KEPT_AS = "veilgrid-token";

function serviceWith(token?: string): Service {
  return createClient({ url: location.origin, token });
}

/** Whether there is something to sign in with before anyone is asked. */
export function mayResume(): boolean {
  return sessionStorage.getItem(KEPT_AS) !== null || codeInAddress() !== null;
}

/** undefined if nobody is signed in, or the token no longer holds; rejects if the code in the address is of no use. */
export async function resumeSession(): Promise<Session | undefined> {
  const code = codeInAddress();
  if (code === null) return keptSession();
  history.replaceState(null, "", `${location.pathname}#/`);
  try {
    const { token } = await serviceWith().redeemCode({ body: { code } });
    return await signIn(token);
  } catch (error) {
    if (!isRefused(error)) throw error;
    // Most often someone's own bookmark: who is signed in stays so.
    const kept = await keptSession();
    if (kept !== undefined) return kept;
    throw new Error(
      "This address works once and has been used; ask whoever runs the service for another, or sign in with a token",
    );
  }
}

/** null without one. */
export function codeInAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get("code");
}

async function keptSession(): Promise<Session | undefined> {
  const token = sessionStorage.getItem(KEPT_AS);
  if (token === null) return undefined;
  try {
    return await signIn(token);
  } catch (error) {
    if (!isRefused(error)) throw error;
    signOut();
    return undefined;
  }
}

/** Token or code are of no use. */
export function isRefused(error: unknown): boolean {
  return error instanceof ServiceFailure && error.status === 401;
}

/** Rejects if the token is not good for anything. */
export async function signIn(token: string): Promise<Session> {
  const service = serviceWith(token);
  const { role } = await service.getMe();
  sessionStorage.setItem(KEPT_AS, token);
  return { service, token, role };
}

export function signOut(): void {
  sessionStorage.removeItem(KEPT_AS);
}

/** Told to the window by whoever finds that a token no longer holds, so that another can be given; the address stays. */
export const SIGN_IN_WANTED = "veilgrid-sign-in-wanted";
