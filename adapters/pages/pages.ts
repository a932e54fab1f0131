import { Effect } from "effect"
import { NotFound } from "../../domain/errors.ts"
import { accountPages, accountResources } from "./account/index.ts"
import { home } from "./home.ts"
import { leaving } from "./impersonation.ts"
import { language } from "./language.ts"
import { invitation } from "./links/invitation.ts"
import { magicLink } from "./links/magic-link.ts"
import { reportDone, reportSignIn } from "./links/report-sign-in.ts"
import { forgotPassword, passwordReset, resetPassword } from "./links/reset-password.ts"
import { emailVerified, verifyEmail } from "./links/verify-email.ts"
import { type Page, page, type Resource } from "./page.ts"
import { chooseAccount } from "./sign-in/choose-account.ts"
import { chooseOrganization } from "./sign-in/choose-organization.ts"
import { code } from "./sign-in/code.ts"
import { consent } from "./sign-in/consent.ts"
import { device } from "./sign-in/device.ts"
import { enrol, savedCodes } from "./sign-in/enrol.ts"
import { factorCode } from "./sign-in/factor-code.ts"
import { native } from "./sign-in/native.ts"
import { newPassword } from "./sign-in/new-password.ts"
import { oauthCallback } from "./sign-in/oauth-callback.ts"
import { passkeyOptions } from "./sign-in/passkey.ts"
import { passkeyOffer } from "./sign-in/passkey-offer.ts"
import { proof } from "./sign-in/proof.ts"
import { linkSent, resetSent, verificationSent } from "./sign-in/sent.ts"
import { signIn } from "./sign-in/sign-in.ts"
import { signedOut, signOut } from "./sign-in/sign-out.ts"
import { signUp } from "./sign-in/sign-up.ts"
import { stepUp } from "./sign-in/step-up.ts"
import { recoveryCode, twoFactor } from "./sign-in/two-factor.ts"
import { walletMessage } from "./sign-in/wallet.ts"

/** All pages. A page without its endpoints is not served. */
export const pages: ReadonlyArray<Page> = [
  home,
  language,
  signIn,
  proof,
  signUp,
  linkSent,
  verificationSent,
  resetSent,
  code,
  twoFactor,
  recoveryCode,
  factorCode,
  enrol,
  savedCodes,
  newPassword,
  passkeyOffer,
  magicLink,
  verifyEmail,
  emailVerified,
  forgotPassword,
  resetPassword,
  passwordReset,
  reportSignIn,
  reportDone,
  invitation,
  stepUp,
  chooseAccount,
  chooseOrganization,
  consent,
  device,
  native,
  signOut,
  signedOut,
  leaving,
  ...accountPages,
]

/** All resources of scripts. */
export const resources: ReadonlyArray<Resource> = [passkeyOptions, walletMessage, ...accountResources]

/** The page for addresses without one. */
export const notFound = page({ path: "", needs: [], access: "public", show: Effect.fail(new NotFound()) })

/** The pages that browsers get at endpoints of other protocols in place of JSON, by the names of the endpoints. */
export const rendered: Readonly<Record<string, Page>> = { oauthCallback }
