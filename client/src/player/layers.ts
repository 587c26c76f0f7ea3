/** Above a tour's own layers, so that what leads out of it is never dimmed. */
export const ABOVE_TOURS = 'z-[100000001]';
