package dev.zarrreactive.flink;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * The splits that no reader has, as a checkpoint keeps them.
 *
 * @param query names what is read
 * @param isPlanned false before the splits are known
 * @param left the splits
 */
record PendingSplits(String query, boolean isPlanned, List<ZarrSplit> left) {
  PendingSplits {
    left = List.copyOf(left);
  }

  /** The form in checkpoints. */
  static final class Serializer implements SimpleVersionedSerializer<PendingSplits> {
    @Override
    public int getVersion() {
      return ZarrSplit.VERSION;
    }

    @Override
    public byte[] serialize(PendingSplits pending) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeUTF(pending.query);
      out.writeBoolean(pending.isPlanned);
      out.writeInt(pending.left.size());
      for (ZarrSplit split : pending.left) {
        split.write(out);
      }
      return bytes.toByteArray();
    }

    @Override
    public PendingSplits deserialize(int version, byte[] bytes) throws IOException {
      DataInputStream in = ZarrSplit.in(version, bytes);
      String query = in.readUTF();
      boolean isPlanned = in.readBoolean();
      int count = in.readInt();
      List<ZarrSplit> left = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        left.add(ZarrSplit.read(in));
      }
      return new PendingSplits(query, isPlanned, left);
    }
  }
}
