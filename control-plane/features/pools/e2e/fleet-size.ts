/** The size of a proof on a fleet: `CARILLON_PROVE_NAME`, or as the claim has it. */
export const sizeOf = (name: 'AGENTS' | 'RATE' | 'SECONDS', claimed: number): number =>
  Number(process.env[`CARILLON_PROVE_${name}`] ?? claimed);
