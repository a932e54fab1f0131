import { html } from "@remix-run/html-template"
import type { AuthError } from "../../domain/errors.ts"
import { retryHeaders } from "../http/response-headers.ts"
import { leftToRight } from "./components/direction.ts"
import type { Shown } from "./page.ts"
import { errorText } from "./problems.ts"
import type { View } from "./view.ts"

const titles = {
  400: "error_page.bad_request",
  403: "error_page.forbidden",
  404: "error_page.not_found",
  429: "error_page.too_many",
  500: "error_page.failed",
  503: "error_page.unavailable",
} as const
const isKnown = (status: number): status is keyof typeof titles => status in titles

/** The page of an error that no form can show: what happened, what to do next, and the reference that the log has. */
export const errorPage = (view: View, error: AuthError, reference: string | null): Extract<Shown, { readonly main: unknown }> => {
  const { texts, href, branding } = view
  const title = texts.t(titles[isKnown(error.status) ? error.status : error.status >= 500 ? 500 : 400])
  const own = errorText(texts, error)
  // No form was sent: a link or another application made the request.
  const isRequest = error._tag === "invalid_request" || (error.status === 400 && own === undefined)
  const message = isRequest ? texts.t("error_page.request") : (own ?? texts.t("error.unknown"))
  const { support } = branding.links
  const main = html`<div class="card"><h1>${title}</h1>
<p>${message}</p>
${isRequest ? html`<p class="muted">${texts.t("error_page.developers")} ${leftToRight(`${error._tag}: ${error.message}`)}</p>` : null}
${reference === null ? null : html`<p class="muted">${texts.t("error_page.reference")} ${leftToRight(reference)}</p>`}
<div class="actions"><a class="button secondary small" href="${href("/sign-in")}">${texts.t("error_page.start")}</a>
${support === undefined ? null : html`<a class="button secondary small" href="${support}">${texts.t("layout.support")}</a>`}</div></div>`
  return { title, main, status: error.status, headers: retryHeaders(error) }
}
