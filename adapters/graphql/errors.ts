import { Effect } from "effect"
import type { GraphQLFormattedError } from "graphql"
import { GraphQLError } from "graphql"
import type { AuthError, ErrorClass } from "../../domain/errors.ts"
import { define, InvalidRequest } from "../../domain/errors.ts"

export const MethodNotAllowed = define("method_not_allowed", 405, "GraphQL is asked by POST.")
export const NotAcceptable = define("not_acceptable", 406, "The answer is application/graphql-response+json or application/json.")
export const UnsupportedMediaType = define("unsupported_media_type", 415, "The body has to be application/json.")
export const QueryTooComplex = define("query_too_complex", 400, "The document asks for more than this service answers at once.")
export const UnknownDocument = define("unknown_document", 400, "This service runs documents it knows, by their documentId.")

/** An error as it stands in `errors`: its wire code and the status that REST answers it with. */
const extensionsOf = ({ _tag, retryAfter }: AuthError, status: number) => ({
  code: _tag,
  status,
  ...(retryAfter === undefined ? {} : { retryAfter }),
})

/** A refusal as what a resolver throws. */
export const refused = (error: AuthError, status: number = error.status) =>
  new GraphQLError(error.message, { originalError: error, extensions: extensionsOf(error, status) })

export const refusedWith = (kind: ErrorClass, message: string) => refused(new kind({ message }))

/** A refusal that concerns the whole request. */
export const envelope = (error: AuthError, status: number = error.status): GraphQLFormattedError => ({
  message: error.message,
  extensions: extensionsOf(error, status),
})

/** What is wrong with the input of an operation, by the code that the operation gives it. */
export const faultyInput = (error: GraphQLError, refusal: AuthError, status: number): GraphQLFormattedError => ({
  ...faulty(error),
  extensions: extensionsOf(refusal, status),
})

/** What is wrong with a document or with its variables. */
export const faulty = (error: GraphQLError): GraphQLFormattedError => {
  const { locations, path } = error.toJSON()
  const isOurs = error.extensions["code"] !== undefined
  return {
    message: isOurs ? error.message : shortened(withoutValue(error.message)),
    ...(locations === undefined ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
    extensions: isOurs ? error.extensions : extensionsOf(new InvalidRequest(), InvalidRequest.status),
  }
}

/**
 * The words of graphql-js repeat what was sent, which may be a password, and be as long as a body: they are gone through once, and
 * cut short only afterwards, since a text that has lost its end would stand.
 */
const withoutValue = (message: string) => withoutRepresented(withoutQuoted(withoutFound(message)))

const withoutFound = (message: string) => {
  const at = message.search(/, but encountered error|[,;] found:|\.? ?Found:/)
  return at < 0 ? message : `${message.slice(0, at)}.`
}

/** From the first quotation mark to the last one. */
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

/** Names of a document stand in the words about it, and can be as long as a body. */
const shortened = (message: string) => (message.length > longest ? `${message.slice(0, longest)}…` : message)
const longest = 300

export const isRefusal = (value: unknown): value is AuthError => value instanceof Error && "_tag" in value && "status" in value

/** The refusal that a field's error comes from. */
export const refusalOf = ({ originalError }: GraphQLError): AuthError | undefined => {
  if (originalError instanceof GraphQLError) return refusalOf(originalError)
  return isRefusal(originalError) ? originalError : undefined
}

/** Errors of fields: refusals as they are, faults of arguments as those of the document, and of anything else no more than that it happened. */
export const formatted = (
  errors: ReadonlyArray<GraphQLError>,
  onDefect: (defect: unknown) => Effect.Effect<never, AuthError>,
): Effect.Effect<ReadonlyArray<GraphQLFormattedError>> =>
  Effect.forEach(errors, (error) => {
    if (error.extensions["code"] !== undefined || isOfCaller(error)) return Effect.succeed(faulty(error))
    return Effect.map(Effect.flip(onDefect(error.originalError ?? error)), (hidden) => ({ ...faulty(error), ...envelope(hidden) }))
  })

/** What graphql-js finds wrong with an argument points into the document; what it finds wrong with a value of ours does not. */
const isOfCaller = ({ originalError }: GraphQLError) => originalError instanceof GraphQLError && originalError.nodes !== undefined
