/** Routes for files from a curator's own machine: send one, take a first look. */

import { Readable } from "node:stream";
import { Type } from "typebox";
import { VeilgridError } from "../../../core/errors/index.ts";
import { letGo } from "../broken-requests.ts";
import { routesFor, type ServiceApp } from "../route.ts";
import { answerAs, closed, Look, LookBody, Uploaded } from "../schemas.ts";
import type { ServiceParts } from "../service-parts.ts";

const route = routesFor("curator", "datasets");

const UploadQuery = closed({
  name: Type.String({ minLength: 1, maxLength: 1000, description: "the file's name: trips.csv" }),
});
const BYTES = "application/octet-stream";

export function uploadRoutes(app: ServiceApp, { uploads, looks, folders }: ServiceParts): void {
  // In a context of its own: nowhere else is a body taken as it comes.
  app.register(async (plain) => {
    const scope = plain as ServiceApp;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(BYTES, (_, payload, done) => done(null, payload));
    scope.addContentTypeParser("*", (_request, _payload, done) => done(notBytes()));
    scope.post(
      "/v1/uploads",
      route(
        "uploadFile",
        "Send a file of records; a dataset can be registered with the source that is answered. Unused, it is kept for a day or more.",
        {
          body: answerAs("the file's bytes", { [BYTES]: Type.Unknown() }),
          querystring: UploadQuery,
          answer: Uploaded,
          status: 201,
        },
      ),
      async (request, reply) => {
        const body: unknown = request.body;
        if (!(body instanceof Readable)) throw notBytes();
        const length = request.headers["content-length"];
        request.isReceiving = true;
        try {
          const bytes = length === undefined ? undefined : Number(length);
          return reply.code(201).send(await uploads.receive(request.query.name, body, bytes));
        } finally {
          letGo(request);
        }
      },
    );
  });

  app.post(
    "/v1/look",
    route("lookAtSource", "What a file's columns are and could be for: guesses to begin with, and no value.", {
      body: LookBody,
      answer: Look,
    }),
    async (request, reply) => {
      const { source, ...dialect } = request.body;
      const resolved = await folders.resolve(source);
      // The caller may leave without its answer.
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      return { source, ...(await looks.look({ source: resolved, dialect }, gone.signal)) };
    },
  );
}

function notBytes(): VeilgridError {
  return new VeilgridError("PARAMETER_INVALID", `send the file's bytes as the body, as ${BYTES}`);
}
