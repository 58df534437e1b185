package dev.zarrreactive.flink;

import dev.zarrreactive.partition.IndexBox;
import dev.zarrreactive.partition.IndexRanges;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Some whole chunks, or the selected cells of them, and how far they are read.
 *
 * @param number the place of the split in the plan
 * @param query names what is read; a checkpoint of another query is refused
 * @param box the cells
 * @param position the number of rows that the job has already
 */
record ZarrSplit(int number, String query, IndexBox box, long position) implements SourceSplit {
  static final int VERSION = 1;

  @Override
  public String splitId() {
    return Integer.toString(number);
  }

  ZarrSplit at(long row) {
    return new ZarrSplit(number, query, box, row);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(number);
    out.writeUTF(query);
    out.writeLong(position);
    out.writeInt(box.dimensions().size());
    for (IndexRanges indices : box.dimensions()) {
      out.writeInt(indices.runs());
      for (int run = 0; run < indices.runs(); run++) {
        out.writeLong(indices.start(run));
        out.writeLong(indices.stop(run));
      }
    }
  }

  static ZarrSplit read(DataInputStream in) throws IOException {
    int number = in.readInt();
    String query = in.readUTF();
    long position = in.readLong();
    int rank = in.readInt();
    List<IndexRanges> dimensions = new ArrayList<>();
    for (int d = 0; d < rank; d++) {
      IndexRanges.Builder indices = new IndexRanges.Builder();
      int runs = in.readInt();
      for (int run = 0; run < runs; run++) {
        indices.add(in.readLong(), in.readLong());
      }
      dimensions.add(indices.build());
    }
    return new ZarrSplit(number, query, new IndexBox(dimensions), position);
  }

  /** The form of a split in checkpoints, and on the way to readers. */
  static final class Serializer implements SimpleVersionedSerializer<ZarrSplit> {
    @Override
    public int getVersion() {
      return VERSION;
    }

    @Override
    public byte[] serialize(ZarrSplit split) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      split.write(new DataOutputStream(bytes));
      return bytes.toByteArray();
    }

    @Override
    public ZarrSplit deserialize(int version, byte[] bytes) throws IOException {
      return read(in(version, bytes));
    }
  }

  /** Returns the fields of a checkpoint. */
  static DataInputStream in(int version, byte[] bytes) throws IOException {
    if (version != VERSION) {
      throw new IOException(
          "the checkpoint has splits of version "
              + version
              + ", and this connector reads version "
              + VERSION
              + "; use the connector that has written it, or start without the checkpoint");
    }
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }
}
