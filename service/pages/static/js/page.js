import { followPage } from "./base/following.js";
import { ignoreHeldEnter } from "./base/held-enter.js";
import { localiseTimes } from "./base/times.js";
import { showUnsentCount } from "./offline/unsent.js";
import { checkLoginOnReturn } from "./base/returning.js";

localiseTimes(document);
followPage(document);
ignoreHeldEnter();
checkLoginOnReturn();
showUnsentCount();
