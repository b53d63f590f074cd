/** Seconds after the class in which pages report their last minutes. After that, the engagement of its participants is final. */
export const LATE_S = 300;
