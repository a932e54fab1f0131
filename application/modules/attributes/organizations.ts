import { groupAttributesFrom } from "../../../domain/attributes/attributes.ts"
import { groupFaultsOf } from "../../../domain/attributes/faults.ts"
import { OrganizationAttributes } from "../../../domain/attributes/organizations.ts"
import { GroupSettings } from "../../../domain/attributes/settings.ts"
import * as Module from "../../service/module.ts"

/** Members of organizations that the configuration declares. The endpoints that show and change organizations are those of another module. */
export const organizationAttributes = Module.define({
  name: "organization_attributes",
  settings: GroupSettings,
  faults: groupFaultsOf,
  parts: (settings) => ({ tables: [OrganizationAttributes], organizationAttributes: groupAttributesFrom(settings) }),
})
