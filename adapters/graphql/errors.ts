import { Effect } from "effect"
import { GraphQLError, type GraphQLErrorExtensions } from "graphql"
import { type AuthError, define, type ErrorClass, InternalError, InvalidRequest } from "../../domain/errors.ts"
import { extensionsOf } from "./refusals.ts"

export const QueryTooComplex = define("query_too_complex", 400, "The document exceeds a limit of this service.")
export const UnknownDocument = define("unknown_document", 400, "This service runs only trusted documents, by their documentId.")

/** The error that a resolver throws for a refusal. */
export const refused = (error: AuthError, status: number = error.status) =>
  new GraphQLError(error.message, { originalError: error, extensions: extensionsOf(error, status) })

export const refusedWith = (kind: ErrorClass, message: string) => refused(new kind({ message }))

/** The error that a plugin of yoga throws for a refusal of the whole request: yoga gives the response its status, for either media type. */
export const refusedRequest = (error: AuthError) =>
  new GraphQLError(error.message, {
    originalError: error,
    extensions: { ...extensionsOf(error, error.status), http: { status: error.status } },
  })

/** Masks an error that no plugin has formatted: an error without a code of this service becomes `internal_error`. */
export const masked = (error: unknown): GraphQLError => {
  const { extensions } = error as { readonly extensions?: GraphQLErrorExtensions }
  return extensions?.["code"] !== undefined && extensions["status"] !== undefined
    ? (error as GraphQLError)
    : refusedRequest(new InternalError())
}

/**
 * The error of a request that is not executed. As `application/json`, its response has the status 200 (GraphQL over HTTP): with another
 * status, a client cannot distinguish it from the response of a proxy. That is what `spec` means to yoga.
 */
export const unexecuted = (error: GraphQLError): GraphQLError =>
  withExtensions(error, { ...error.extensions, http: { spec: true, status: Number(error.extensions["status"]) } })

/** A fault in the input of an operation, with the code of the operation's refusal. */
export const inputError = (error: GraphQLError, refusal: AuthError, status: number): GraphQLError =>
  withExtensions(documentError(error), extensionsOf(refusal, status))

/** A fault in a document or its variables. */
export const documentError = (error: GraphQLError): GraphQLError => {
  if (error.extensions["code"] !== undefined) return error
  return withExtensions(error, extensionsOf(new InvalidRequest(), InvalidRequest.status), shortened(withoutValue(error.message)))
}

/** The same error with other extensions, and without its original error. */
const withExtensions = (
  { nodes, source, positions, path, ...error }: GraphQLError,
  extensions: GraphQLErrorExtensions,
  message = error.message,
) => new GraphQLError(message, { nodes, source, positions, path, extensions })

/**
 * Removes values from a message of graphql-js: they may be passwords, and as long as a body. Must run before the message is shortened,
 * since the patterns do not match a value that has lost its end.
 */
const withoutValue = (message: string) => withoutRepresented(withoutQuoted(withoutActual(message)))

const withoutActual = (message: string) => {
  const at = message.search(/, but encountered error|[,;] found:|\.? ?Found:/)
  return at < 0 ? message : `${message.slice(0, at)}.`
}

/** Cuts from the first quotation mark to the last one. */
const withoutQuoted = (message: string) => {
  const token = /\b(?:String|BlockString|Int|Float) "/.exec(message)
  if (token === null) return message
  const begin = token.index + token[0].length
  const end = message.lastIndexOf('"')
  return message.slice(0, begin - 2) + (end < begin ? "." : message.slice(end + 1))
}

const withoutRepresented = (message: string) => {
  const at = message.indexOf("cannot represent ")
  const end = at < 0 ? -1 : message.indexOf(":", at)
  return end < 0 ? message : `${message.slice(0, end)}.`
}

/** Messages quote names of the document, which can be as long as a body. */
const shortened = (message: string) => (message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message)
const maxMessageLength = 300

export const isRefusal = (value: unknown): value is AuthError => value instanceof Error && "_tag" in value && "status" in value

/** The refusal behind the error of a field. */
export const refusalOf = ({ originalError }: GraphQLError): AuthError | undefined => {
  if (originalError instanceof GraphQLError) return refusalOf(originalError)
  return isRefusal(originalError) ? originalError : undefined
}

/**
 * The errors of fields as clients see them. A refusal is kept, a fault in an argument becomes one in the document, and a defect is logged
 * and becomes `internal_error`.
 */
export const shown = (
  errors: ReadonlyArray<GraphQLError>,
  onDefect: (defect: unknown) => Effect.Effect<never, AuthError>,
): Effect.Effect<ReadonlyArray<GraphQLError>> =>
  Effect.forEach(errors, (error) => {
    if (error.extensions["code"] !== undefined || isOfCaller(error)) return Effect.succeed(documentError(error))
    return Effect.map(Effect.flip(onDefect(error.originalError ?? error)), (hidden) =>
      withExtensions(error, extensionsOf(hidden, hidden.status), hidden.message),
    )
  })

/** An error of graphql-js about an argument has nodes of the document; an error about a resolved value has none. */
const isOfCaller = ({ originalError }: GraphQLError) => originalError instanceof GraphQLError && originalError.nodes !== undefined
