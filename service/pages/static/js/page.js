import { followPage } from "./base/following.js";
import { ignoreHeldEnter } from "./base/held-enter.js";
import { localise } from "./base/times.js";
import { tellUnsent } from "./offline/unsent.js";
import { watchReturn } from "./base/returning.js";

localise(document);
followPage(document);
ignoreHeldEnter();
watchReturn();
tellUnsent();
