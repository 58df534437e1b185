package dev.zarrreactive.cli.input;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import reactor.core.publisher.Mono;

/** A file with the metadata document of a node. */
public final class MetadataFile {
  /** The most bytes that are read: a document with a million consolidated nodes is larger. */
  private static final int MOST_BYTES = 16 << 20;

  private MetadataFile() {}

  /**
   * Reads the document of an array or a group: {@code zarr.json}, {@code .zarray} or {@code
   * .zgroup}. Reads and emits on the console's thread, which may block.
   *
   * @param name a file, or {@code -} for standard input
   */
  public static Mono<NodeMetadata> read(String name, CommandConsole console) {
    return Mono.fromCallable(() -> bytes(name, console))
        .flatMap(MetadataFile::node)
        .onErrorMap(
            MetadataException.class,
            error -> new CommandFailure(name + ": " + error.statement(), error))
        .publishOn(console.thread())
        .subscribeOn(console.thread());
  }

  private static byte[] bytes(String name, CommandConsole console) throws IOException {
    try (InputStream in =
        name.equals(InputFile.STANDARD_INPUT)
            ? console.in()
            : Files.newInputStream(Path.of(name))) {
      byte[] bytes = in.readNBytes(MOST_BYTES);
      if (bytes.length == MOST_BYTES) {
        throw new CommandFailure(name + " is too large for a metadata document");
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw new CommandFailure(name + ": no such file", e);
    } catch (InvalidPathException e) {
      throw new CommandFailure("not a path: " + e.getReason(), e);
    }
  }

  /** Reads the document as the library does: from a store that has nothing else. */
  private static Mono<NodeMetadata> node(byte[] document) {
    MemoryStore store = MemoryStore.create();
    return store
        .set(StoreKey.of(key(document)), Bytes.wrap(document))
        .then(Mono.defer(() -> Zarr.hierarchy(store).open("/")))
        .map(ZarrNode::metadata);
  }

  private static String key(byte[] document) {
    JsonValue value = JsonDocument.parse(ByteBuffer.wrap(document), Location.UNKNOWN).value();
    JsonObject object = value instanceof JsonObject found ? found : JsonObject.EMPTY;
    boolean isV2 =
        object.get("zarr_format") instanceof JsonNumber number && number.toString().equals("2");
    return !isV2
        ? NodePath.DOCUMENT
        : object.get("shape") == null ? NodePath.V2_GROUP : NodePath.V2_ARRAY;
  }
}
