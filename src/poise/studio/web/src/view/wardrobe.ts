/** Fetches the mesh of an opened character from the session. */

import { Character } from "../body/character";
import type { MeshInfo } from "../messages";
import { address } from "../session";
import { notify } from "../store";

/** The character of a mesh; null, and the person told why, when it cannot be drawn. */
export async function fetched(mesh: MeshInfo): Promise<Character | null> {
  try {
    const reply = await fetch(address(`/mesh/${mesh.key}`, {}));
    if (!reply.ok) throw new Error(await reply.text());
    return await Character.read(await reply.arrayBuffer(), mesh);
  } catch (error) {
    const why = reason(error instanceof Error ? error.message : String(error));
    notify(`The character's mesh is not drawn: ${why}`, "warning");
    return null;
  }
}

/** What the loader says when the mesh is compressed, for people. */
function reason(message: string): string {
  const packer = ["Draco", "meshopt", "KTX2"].find((own) =>
    message.toLowerCase().includes(own.toLowerCase()),
  );
  return packer === undefined
    ? message
    : `it is packed with ${packer}, which the studio cannot unpack. Export it without compression.`;
}
