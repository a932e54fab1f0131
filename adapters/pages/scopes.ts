import { html } from "@remix-run/html-template"
import type { OauthClient } from "../../client/operations.ts"
import type { View } from "./view.ts"

/** What a scope permits, in words; scopes of the operator's own by their names. */
export const scopeText = ({ texts }: View, scope: string) =>
  texts.find(`scope.${scope}`) ?? texts.rich("scope_other", { scope: html`<code dir="ltr">${scope}</code>` })

/** The name of a client. */
export const clientName = ({ client_name, client_id }: Pick<OauthClient, "client_name" | "client_id">) => client_name ?? client_id
