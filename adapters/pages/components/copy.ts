import { html } from "@remix-run/html-template"
import type { View } from "../view.ts"

/** The button that copies the text of the element with this id. Without scripts, it is hidden. */
export const copyButton = ({ texts: { t } }: Pick<View, "texts">, id: string) =>
  html`<button type="button" class="secondary small" hidden data-copy="${id}" data-copied="${t("field.copied")}">${t("field.copy")}</button> <span class="muted" role="status"></span>`
