package dev.zarrreactive.arrow;

import dev.zarrreactive.base.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;
import reactor.core.publisher.Flux;

/** Batches as the messages of an Arrow IPC stream. */
final class IpcStream {
  /** A transport that demands many pieces at once holds them all. */
  private static final int PIECE = 16 << 10;

  private IpcStream() {}

  /** What a message writes of itself. */
  private interface Message {
    void write(WriteChannel to) throws IOException;
  }

  /** Returns the stream; each batch is closed. */
  static Flux<Bytes> of(Schema schema, Flux<VectorSchemaRoot> batches) {
    Flux<Bytes> begin = one(to -> MessageSerializer.serialize(to, schema));
    Flux<Bytes> end = one(to -> ArrowStreamWriter.writeEndOfStream(to, IpcOption.DEFAULT));
    Flux<Bytes> messages = batches.map(IpcStream::message);
    return Flux.concat(List.of(begin, messages, end)).concatMap(IpcStream::pieces, 1);
  }

  private static Flux<Bytes> one(Message message) {
    return Flux.defer(() -> Flux.just(bytes(message)));
  }

  private static Bytes message(VectorSchemaRoot root) {
    try (root;
        ArrowRecordBatch batch = new VectorUnloader(root).getRecordBatch()) {
      return bytes(to -> MessageSerializer.serialize(to, batch));
    }
  }

  private static Bytes bytes(Message message) {
    ByteArrayOutputStream memory = new ByteArrayOutputStream();
    try (WriteChannel channel = new WriteChannel(Channels.newChannel(memory))) {
      message.write(channel);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return Bytes.wrap(memory.toByteArray());
  }

  private static Flux<Bytes> pieces(Bytes message) {
    return Flux.generate(
        () -> 0,
        (from, sink) -> {
          int to = Math.min(message.size(), from + PIECE);
          sink.next(message.slice(from, to - from));
          if (to == message.size()) {
            sink.complete();
          }
          return to;
        });
  }
}
