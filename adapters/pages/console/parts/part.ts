import { html, type SafeHtml } from "@remix-run/html-template"
import { Effect } from "effect"
import type { AuthError } from "../../../../domain/errors.ts"
import type { ConsoleView } from "../screen.ts"
import { card } from "./body.ts"

/** How long one part of a page may take. */
const patience = "2 seconds"

/** A part of a page that can fail alone: its card then says so, and the rest of the page is shown. */
export const part = <R>(view: ConsoleView, title: string, shown: Effect.Effect<SafeHtml, AuthError, R>) =>
  shown.pipe(
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(failed(view, title)) }),
    Effect.catch((error) => (isOfPage(error) ? Effect.fail(error) : Effect.succeed(failed(view, title)))),
  )

/** Errors by which the whole page leads elsewhere. */
const isOfPage = ({ _tag }: AuthError) => _tag === "unauthorized" || _tag === "session_not_fresh"

/** In place of a part that failed. */
export const failed = (view: ConsoleView, title: string) => {
  const { t } = view.texts
  return card(title, {}, html`<p>${t("console.part.failed")}</p><p><a href="${view.here}">${t("console.part.retry")}</a></p>`)
}
