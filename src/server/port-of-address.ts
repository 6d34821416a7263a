/** An address does not name the port that is usual for its protocol, and halls speak plain HTTP. */
export const portOfAddress = (address: string): number => Number(new URL(address).port || 80);
