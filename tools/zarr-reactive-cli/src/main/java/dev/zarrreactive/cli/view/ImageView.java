package dev.zarrreactive.cli.view;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.view.PlaneView.Drawn;
import dev.zarrreactive.ome.OmeChannel;
import dev.zarrreactive.ome.OmeGap;
import dev.zarrreactive.ome.OmeImage;
import dev.zarrreactive.ome.OmeLevel;
import dev.zarrreactive.ome.OmeMetadata;
import dev.zarrreactive.ome.OmePicture;
import dev.zarrreactive.ome.OmePlate;
import dev.zarrreactive.ome.OmePlateLayout;
import dev.zarrreactive.ome.OmeSeries;
import dev.zarrreactive.ome.OmeWell;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;

/** Draws a group of OME-Zarr: an image, the first one of a well or of a series, or a plate. */
final class ImageView {
  private static final int MOST_PIXELS = 4096;

  private ImageView() {}

  /**
   * Draws a group.
   *
   * @param gaps takes what the picture lacks
   */
  static Mono<Drawn> draw(ZarrGroup group, Size most, Consumer<List<OmeGap>> gaps) {
    if (Math.max(most.width(), most.height()) > MOST_PIXELS) {
      throw new CommandFailure("the size of a picture of OME-Zarr is at most " + MOST_PIXELS);
    }
    if (OmeMetadata.of(group).plate().isPresent()) {
      OmePlate plate = OmePlate.of(group);
      return plate
          .picture(most.height(), most.width())
          .doOnNext(picture -> gaps.accept(picture.gaps()))
          .map(picture -> draw(picture, plate.toString()));
    }
    return image(group)
        .flatMap(
            image ->
                image
                    .picture(most.height(), most.width())
                    .doOnNext(picture -> gaps.accept(picture.gaps()))
                    .map(picture -> draw(picture, legend(image, level(image, most)))));
  }

  /** Emits the image of a group, or the first one of a well or of a series. */
  static Mono<OmeImage> image(ZarrGroup group) {
    OmeMetadata metadata = OmeMetadata.of(group);
    if (metadata.plate().isPresent()) {
      throw new CommandFailure(
          "options of colours are for an image, the group is a plate; name a well, such as PATH/"
              + metadata.plate().get().wells().stream()
                  .findFirst()
                  .map(OmePlateLayout.Well::path)
                  .orElse("A/1"));
    }
    if (!metadata.fields().isEmpty()) {
      return OmeWell.of(group).firstImage();
    }
    return metadata.isBioformats2raw()
        ? OmeSeries.of(group).flatMap(OmeSeries::firstImage)
        : OmeImage.of(group);
  }

  /** Returns the level that fits a picture. */
  static OmeLevel level(OmeImage image, Size most) {
    return image.levelForPicture(most.height(), most.width());
  }

  private static Drawn draw(OmePicture picture, String legend) {
    return new Drawn(
        PlanePicture.of(picture),
        new Size(picture.width(), picture.height()),
        legend,
        PlaneAxes.NONE);
  }

  private static long missingLevels(OmeImage image) {
    return image.gaps().stream().filter(gap -> image.group().path().contains(gap.path())).count();
  }

  private static String legend(OmeImage image, OmeLevel level) {
    List<String> channels =
        image.channels().stream()
            .filter(channel -> channel.active() && !channel.label().isEmpty())
            .map(OmeChannel::label)
            .toList();
    return level.array().dataType()
        + " "
        + level.array().shape()
        + ", level "
        + level.path()
        + " of "
        + (image.levels().size() + missingLevels(image))
        + (channels.isEmpty() ? "" : "; " + String.join(", ", channels));
  }
}
