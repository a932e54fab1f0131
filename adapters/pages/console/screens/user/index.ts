import type { Screen } from "../../screen.ts"
import { setAddress } from "./address.ts"
import { removeCredential, removeFactor, resetFactors, setPassword } from "./credentials.ts"
import { exportUser } from "./export.ts"
import { impersonate } from "./impersonate.ts"
import { mergeUser } from "./merge.ts"
import { cancelErasure, eraseUser, removeUser } from "./removal.ts"
import { assignRole, withdrawRole } from "./roles.ts"
import { endSessions } from "./sessions.ts"
import { suspend } from "./suspend.ts"

/** What is done to one user, on pages of their own. */
export const userActions: ReadonlyArray<Screen> = [
  suspend,
  setAddress,
  setPassword,
  resetFactors,
  removeFactor,
  removeCredential,
  endSessions,
  assignRole,
  withdrawRole,
  exportUser,
  impersonate,
  mergeUser,
  eraseUser,
  cancelErasure,
  removeUser,
]
