import { Schema } from "effect"

/** One scope (RFC 6749 section 3.3). */
export const ScopeToken = Schema.String.check(Schema.isPattern(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { expected: "a scope without blanks" }))

const isResource = (text: string) => URL.canParse(text) && /^[a-z][a-z\d+.-]*:[\x21\x23-\x5b\x5d-\x7e]+$/i.test(text) && !text.includes("#")

/** An absolute URI without a fragment (RFC 8707 section 2). */
export const ResourceUri = Schema.String.check(Schema.makeFilter(isResource, { expected: "an absolute URI without a fragment" }))

/** How a client became known that no operator has registered: by its metadata document, or by a registration without a token. */
export const AgentKind = Schema.Literals(["document", "open"])
export type AgentKind = typeof AgentKind.Type
