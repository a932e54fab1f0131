import type { Screen } from "./screen.ts"
import { user } from "./screens/user.ts"
import { suspend } from "./screens/user-suspend.ts"
import { users } from "./screens/users.ts"

/** All screens, in the order of the navigation. One whose endpoints are missing is not served. */
export const screens: ReadonlyArray<Screen> = [users, user, suspend]
