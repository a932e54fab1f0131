import { storeSuite, sweepSuite } from "../../../testing/store-suite.ts"
import { storeLayer, storeName } from "../../stores.ts"

storeSuite(storeName, storeLayer)
sweepSuite(storeName, storeLayer)
