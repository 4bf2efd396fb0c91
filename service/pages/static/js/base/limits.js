/** How many characters fields take, as the service has it. */
export const LIMITS = JSON.parse(document.body.dataset.limits);
