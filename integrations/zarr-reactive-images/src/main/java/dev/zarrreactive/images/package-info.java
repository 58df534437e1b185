/** The codec of JPEG, which the JDK's ImageIO decodes. */
@NullMarked
package dev.zarrreactive.images;

import org.jspecify.annotations.NullMarked;
