package dev.zarrreactive.cli.input;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.internal.files.ElementFile;
import java.nio.channels.FileChannel;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A NumPy file or raw binary. It is read box by box, each of whole chunks of the array, so that
 * every chunk is stored once.
 */
record BoxSource(ElementFile file) implements ElementSource {
  /** A part of the heap for the bytes of one box: reading, images and encoding hold several. */
  private static final int SHARE_OF_HEAP = 24;

  private static final long MOST_BYTES = 64 << 20;

  @Override
  public DataType dataType() {
    return file.dataType();
  }

  @Override
  public Shape shape() {
    return file.shape();
  }

  @Override
  public Mono<Void> writeTo(
      ZarrArray array, boolean isResumed, DoubleConsumer progress, Scheduler reader) {
    long[] cell = array.chunkGrid().largestChunkShape().toArray();
    long budget = Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    long most = Math.max(1, budget / Math.max(file.layout().fileSize(), dataType().itemSize()));
    BoxWalk boxes = new BoxWalk(shape(), cell, most, file.isFortran());
    Mono<Long> first =
        isResumed
            ? StoredBefore.of(array, file.isFortran(), MOST_BYTES)
                .map(boxes::numberOf)
                .defaultIfEmpty(0L)
            : Mono.just(0L);
    return first.flatMap(
        from ->
            Mono.using(
                    file::open,
                    channel ->
                        boxes(boxes, from, progress)
                            .publishOn(reader, 1)
                            .map(box -> load(channel, box, most))
                            .concatMap(part -> write(array, part, channel, most, reader), 1)
                            .then(),
                    ElementFile::close)
                .subscribeOn(reader));
  }

  /**
   * A box and its elements.
   *
   * @param elements null for a chunk that is larger than the budget
   */
  private record Part(BoxWalk.Box box, @Nullable NdArray elements) {}

  private Part load(FileChannel channel, BoxWalk.Box box, long most) {
    return new Part(
        box, box.count() <= most ? file.read(channel, box.from(), box.extents()) : null);
  }

  private static Flux<BoxWalk.Box> boxes(BoxWalk boxes, long from, DoubleConsumer progress) {
    return Flux.generate(
        () -> from,
        (number, sink) -> {
          if (number >= boxes.count()) {
            sink.complete();
          } else {
            progress.accept((double) number / boxes.count());
            sink.next(boxes.box(number));
          }
          return number + 1;
        });
  }

  private Mono<Void> write(
      ZarrArray array, Part part, FileChannel channel, long most, Scheduler reader) {
    BoxWalk.Box box = part.box();
    long[] from = box.from();
    long[] extents = box.extents();
    Selection place = shape().rank() == 0 ? Selection.all() : Selection.box(from, extents);
    if (part.elements() != null) {
      return array.write(place, part.elements());
    }
    long rows = Math.max(1, most / Math.max(1, box.count() / extents[0]));
    return array.write(place, file.slabs(channel, from, extents, 0, rows).subscribeOn(reader));
  }
}
