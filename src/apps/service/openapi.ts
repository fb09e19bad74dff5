/** Gives the service's OpenAPI document without a running service. */
import { buildService } from "./app.ts";
import { type ServiceParts, USUAL_LIMITS } from "./service-parts.ts";

export async function openApiDocument(tool: string): Promise<unknown> {
  const parts = { limits: USUAL_LIMITS, log: () => undefined, now: () => new Date(0), tool, trustProxy: false };
  const app = await buildService(parts as unknown as ServiceParts);
  try {
    return app.swagger();
  } finally {
    await app.close();
  }
}
