/** The quantile of the normal distribution that leaves 5 % beyond it, half of them on each side. */
export const Z95 = 1.959963984540054;
