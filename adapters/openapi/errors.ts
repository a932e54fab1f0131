import { type AnyEndpoint, classOf, statusOf } from "../../application/service/endpoint.ts"
import type { SessionTransport } from "../../application/service/module.ts"
import {
  type ErrorClass,
  InternalError,
  InvalidJson,
  Overloaded,
  PayloadTooLarge,
  RateLimited,
  Unavailable,
  UntrustedOrigin,
} from "../../domain/errors.ts"
import { isJsonObject } from "../../domain/values/json.ts"
import { typeName } from "../graphql/names.ts"
import type { Components } from "./components.ts"
import { changeFields, headersOf } from "./headers.ts"
import { component, type Json } from "./json.ts"

/** The error responses of endpoints by status; those with the same codes are one component. */
export const makeErrors = (transports: ReadonlyArray<SessionTransport>, components: Components) => {
  const responses = new Map<string, Json>()

  const responseOf = (endpoint: AnyEndpoint, status: number, classes: ReadonlyArray<ErrorClass>): Json => {
    const forms = classes.flatMap((error) => formOf(endpoint, error))
    const codes = `${status}${classes.map(({ code }) => typeName(code)).join("")}`
    const name = `${kindOf(endpoint, forms)}${codes}`
    if (!responses.has(name)) {
      const own = classes.flatMap((error) => bodyOf(endpoint, error, false))
      const content = { "application/json": own.length > 0 ? ownContent(name, own) : envelopeContent(name, codes, classes, forms) }
      const session = classes.some((error) => new error().session === "clear") ? changeFields(transports) : []
      responses.set(name, { description: textsOf(classes), headers: headersOf(endpoint, status, session), content })
    }
    return component("responses", name)
  }

  const ownContent = (name: string, own: ReadonlyArray<ProtocolError>): Json => ({
    schema: components.add(name, flat(own.map(({ body }) => body))),
    examples: ownExamplesOf(own, ""),
  })

  const envelopeContent = (name: string, codes: string, classes: ReadonlyArray<ErrorClass>, forms: ReadonlyArray<ProtocolError>): Json => {
    const envelope = components.shared(`Error${codes}`, envelopeOf(classes))
    if (forms.length === 0) return { schema: envelope, examples: examplesOf(classes) }
    const body = components.add(`${name}Body`, flat(forms.map(({ body }) => body)))
    return {
      schema: components.add(name, { oneOf: [envelope, body] }),
      examples: { ...examplesOf(classes), ...ownExamplesOf(forms, "_form") },
    }
  }

  return {
    of: (endpoint: AnyEndpoint): Json => {
      const classes = errorsOf(endpoint)
      const statuses = [...new Set(classes.map((error) => statusOf(endpoint, new error())))].sort((one, other) => one - other)
      const entries = statuses.map((status) => {
        const own = classes.filter((error) => statusOf(endpoint, new error()) === status)
        return [String(status), responseOf(endpoint, status, own)] as const
      })
      return Object.fromEntries(entries)
    },
    responses: () => Object.fromEntries([...responses].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  }
}

/** Every error that an endpoint can answer with, by code. */
const errorsOf = (endpoint: AnyEndpoint): ReadonlyArray<ErrorClass> => {
  const { protocol, method } = endpoint
  const all = [
    ...endpoint.errors.map(classOf),
    ...(method === "POST" || method === "PUT" ? [InvalidJson, PayloadTooLarge] : []),
    ...(protocol?.anyOrigin === true || protocol?.navigable === true ? [] : [UntrustedOrigin]),
    ...[RateLimited, Overloaded, Unavailable, InternalError],
  ]
  return [...new Map(all.map((error) => [error.code, error])).values()].toSorted((one, other) => (one.code < other.code ? -1 : 1))
}

/** Responses of OAuth endpoints have further header fields, and another body for forms. */
const kindOf = (endpoint: AnyEndpoint, forms: ReadonlyArray<ProtocolError>) => {
  if (forms.length > 0) return "OauthFormError"
  if (bodyOf(endpoint, InternalError, false).length > 0) return "ProtocolError"
  const { protocol } = endpoint
  return protocol?.refusal === undefined ? "Error" : "OauthError"
}

const textsOf = (classes: ReadonlyArray<ErrorClass>) => classes.map(({ code, text }) => `\`${code}\`: ${text}`).join("\n\n")

/** An error and the body that the protocol of the endpoint has for it. */
interface ProtocolError {
  readonly error: ErrorClass
  readonly body: Json
}

/** The body that an endpoint's protocol has for requests with a form; none if that is the envelope. */
const formOf = (endpoint: AnyEndpoint, error: ErrorClass): ReadonlyArray<ProtocolError> =>
  endpoint.protocol?.form !== true || endpoint.method === "GET" ? [] : bodyOf(endpoint, error, true)

const bodyOf = ({ protocol }: AnyEndpoint, error: ErrorClass, form: boolean): ReadonlyArray<ProtocolError> => {
  const { body } = protocol?.refusal?.(new error(), { form, authorization: null }) ?? {}
  return isJsonObject(body) ? [{ error, body }] : []
}

const examplesOf = (classes: ReadonlyArray<ErrorClass>): Json =>
  Object.fromEntries(classes.map(({ code, text }) => [code, { summary: text, value: { error: { code, message: text } } }]))

const ownExamplesOf = (errors: ReadonlyArray<ProtocolError>, suffix: string): Json =>
  Object.fromEntries(errors.map(({ error, body }) => [`${error.code}${suffix}`, { summary: error.text, value: body }]))

const envelopeOf = (classes: ReadonlyArray<ErrorClass>): Json => ({
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: { code: { type: "string", enum: classes.map(({ code }) => code) }, message: { type: "string" } },
      required: ["code", "message"],
    },
  },
  required: ["error"],
})

/** The schema of bodies with texts as members; `error` is a code (RFC 6749 section 5.2). */
const flat = (bodies: ReadonlyArray<Json>): Json => {
  const members = [...new Set(bodies.flatMap(Object.keys))]
  const codes = [...new Set(bodies.map(({ error }) => error))]
  const properties = members.map((member) => [member, member === "error" ? { type: "string", enum: codes } : { type: "string" }])
  return { type: "object", properties: Object.fromEntries(properties), required: members }
}
