package dev.zarrreactive.arrow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import reactor.core.publisher.Flux;

/** The native library of Arrow's C data interface, which has builds for some machines. */
final class CDataLibrary {
  private CDataLibrary() {}

  /** Returns why the library cannot be loaded; empty if it can. */
  static String problem() {
    try (RootAllocator allocator = new RootAllocator();
        BatchReader reader = new BatchReader(allocator, new Schema(List.of()), Flux.empty());
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      Data.exportArrayStream(allocator, reader, stream);
      stream.release();
      return "";
    } catch (LinkageError | IllegalStateException e) {
      return e.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
