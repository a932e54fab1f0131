import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { load } from "../../../adapters/config/load.ts"
import { identityProvider } from "../../../application/modules/idp/index.ts"

const secret = "0123456789abcdef0123456789abcdef"
const wiki = { client_id: "wiki", client_secret: "hunter2", redirect_uris: ["https://wiki.example.com/callback"] }

/** Reads a configuration file with these clients. */
const loaded = (idp: unknown) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "sallyport-idp-"))),
    (directory) =>
      Effect.suspend(() => {
        writeFileSync(join(directory, "sallyport.config.json"), JSON.stringify({ secret, modules: { idp } }))
        return load({ directory, environment: {} }, [identityProvider])
      }),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true })),
  )
const faultsOf = (...clients: ReadonlyArray<object>) => Effect.map(Effect.flip(loaded({ clients })), ({ faults }) => faults)

describe("modules.idp", () => {
  it.effect("is enabled by its key", () =>
    Effect.gen(function* () {
      for (const idp of [{}, { clients: [wiki] }]) expect((yield* loaded(idp)).modules.map(({ name }) => name)).toEqual(["idp"])
    }),
  )

  it.effect("refuses invalid clients at the start, without showing a secret", () =>
    Effect.gen(function* () {
      const uri = "an https URL, http to localhost or a scheme with a dot, without a fragment, a user or a wildcard"
      expect(
        yield* faultsOf({ ...wiki, redirect_uris: ["javascript:alert(1)", wiki.redirect_uris[0], "https://wiki.example.com/#"] }),
      ).toEqual([
        `modules.idp.clients.0.redirect_uris.0: found "javascript:alert(1)", wanted ${uri}`,
        `modules.idp.clients.0.redirect_uris.2: found "https://wiki.example.com/#", wanted ${uri}`,
      ])
      expect(yield* faultsOf({ ...wiki, redirect_uris: [] })).toEqual([
        "modules.idp.clients.0.redirect_uris: found an empty list, wanted at least one URL",
      ])
      expect(yield* faultsOf(wiki, wiki)).toEqual([
        'modules.idp.clients.1.client_id: found "wiki", wanted a client_id that no other client has',
      ])
      expect(yield* faultsOf({ ...wiki, client_secret: "hünter2" })).toEqual([
        "modules.idp.clients.0.client_secret: found a text of 8 bytes, wanted a text in printable ASCII",
      ])
      expect(yield* faultsOf({ ...wiki, client_secret: undefined })).toEqual([
        "modules.idp.clients.0.client_secret: found nothing, wanted a text in printable ASCII",
      ])
      expect(yield* faultsOf({ ...wiki, redirect_url: "x" })).toHaveLength(1)
    }),
  )
})
