import type { Screen } from "./screen.ts"
import { userActions } from "./screens/user/index.ts"
import { user } from "./screens/user.ts"
import { chosenUsers } from "./screens/users/chosen.ts"
import { newUser } from "./screens/users/new.ts"
import { users } from "./screens/users.ts"

/** All screens, in the order of the navigation. One whose endpoints are missing is not served. */
export const screens: ReadonlyArray<Screen> = [users, newUser, chosenUsers, user, ...userActions]
