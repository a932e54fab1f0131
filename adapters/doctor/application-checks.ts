import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Cause, Data, Effect } from "effect"
import { HttpClient } from "effect/http"
import { isLocal } from "../../domain/values/url.ts"
import { hasTypes, typesPath } from "../client-types/types-file.ts"
import type { Configuration } from "../config/load.ts"
import { fileOf } from "../config/source.ts"
import { parsedJson } from "../json-text.ts"
import { codeOf, reasonOf } from "../root-cause.ts"
import { type Application, addressFindings, applicationIn, fileFinding, type Place, placesOf, remedyOf } from "./application.ts"
import { type Finding, fault, fine, warn } from "./finding.ts"

/** Checks what `init` made in this folder: nothing if it is not that of an application. `types` are those of the client. */
export const applicationChecks = Effect.fnUntraced(function* applicationChecks<E>(
  configuration: Configuration,
  folder: string,
  types: Effect.Effect<string, E>,
) {
  const application = applicationIn(folder)
  const { httpSettings, settings } = configuration
  return [
    ...(application === undefined
      ? []
      : [
          ...(yield* Effect.forEach(placesOf(configuration), (place) => placeFinding(application, place, settings.public_url))),
          ...addressFindings(application, httpSettings, isLocal(new URL(settings.public_url))),
        ]),
    ...(existsSync(join(folder, typesPath)) ? [typesFinding(folder, yield* types, configuration)] : []),
  ]
})

class NoAnswer extends Data.Error<{ readonly message: string; readonly isRefused: boolean }> {}

/** The first request of a development server waits for the compilation of the route. */
const patience = "30 seconds"

const get = (url: string) =>
  HttpClient.get(url).pipe(
    Effect.flatMap(({ status, headers, text }) => Effect.map(text, (body) => ({ status, headers, body }))),
    Effect.timeout(patience),
    Effect.catchCause((cause) => {
      const error = Cause.squash(cause)
      return Effect.fail(new NoAnswer({ message: reasonOf(error), isRefused: codeOf(error) === "ECONNREFUSED" }))
    }),
    Effect.provide(NodeHttpClient.layerUndici),
  )
type Answer = Effect.Success<ReturnType<typeof get>>

/** Whether the service answers at a place. While the application is not running, its files have to tell. */
const placeFinding = (application: Application, place: Place, publicUrl: string): Effect.Effect<Finding> => {
  const url = `${publicUrl}${place.probe}`
  return Effect.match(get(url), {
    onSuccess: (answer) => answerFinding(application, place, url, answer),
    onFailure: ({ message, isRefused }) => {
      if (!isRefused) return warn(place.check, `${url} cannot be reached (${message})`, "check public_url, and the server there")
      const found = fileFinding(application, place)
      if (found.level !== "ok") return found
      return { ...found, text: `${found.text}; ${publicUrl} is not running`, remedy: "start the application, and run this again" }
    },
  })
}

const answerFinding = (application: Application, place: Place, url: string, { status, headers, body }: Answer): Finding => {
  const { check } = place
  const message = check === "route" ? serviceError(body) : undefined
  if (message !== undefined) return fault(check, `${url} answered ${status}: ${message}`, "see the log of the service")
  if (check === "route" ? status === 200 && isNoSession(body) : status < 400 && isPage(headers)) return fine(check, `${url} answers`)
  const type = headers["content-type"]?.split(";")[0] ?? "no content"
  return fault(check, `${url} answered ${status} with ${type}, and not by Sallyport`, remedyOf(application, place))
}

const isNoSession = (body: string) => Object(parsedJson(body)).session === null

const serviceError = (body: string): string | undefined => {
  const { code, message } = Object(Object(parsedJson(body)).error)
  return typeof code === "string" && typeof message === "string" ? message : undefined
}

/** No page of an application forbids everything by default. */
const isPage = (headers: Answer["headers"]) => headers["content-security-policy"]?.startsWith("default-src 'none'") === true

const typesFinding = (folder: string, types: string, { file }: Configuration): Finding => {
  if (hasTypes(join(folder, typesPath), types)) return fine("types", `${typesPath} has the types of the configuration`)
  const config = file === null || file === fileOf({ directory: folder }) ? "" : ` --config ${relative(folder, file)}`
  return warn("types", `${typesPath} is stale`, `run npx sallyport types${config} --out ${typesPath}`)
}
