// The pages of your own modules: `import { page } from "sallyport/pages"`.

export { html, type SafeHtml } from "@remix-run/html-template"
export { beside as accountPage, framed, plainCard, section, signedIn } from "./adapters/pages/account/frame.ts"
export { codeField, identifierField, inputField, passwordField } from "./adapters/pages/components/fields.ts"
export { button, card, form } from "./adapters/pages/components/form.ts"
export { qrCode } from "./adapters/pages/components/qr.ts"
export { call, goTo, page, text } from "./adapters/pages/own-pages.ts"
export { field, type Shown, Visit } from "./adapters/pages/page.ts"
export { completeSignIn, orStartAgain, startAgain } from "./adapters/pages/sign-in/complete.ts"
export type { View } from "./adapters/pages/view.ts"
