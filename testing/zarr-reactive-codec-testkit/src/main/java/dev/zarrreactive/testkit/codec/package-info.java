/** Contract tests for codecs. */
@NullMarked
package dev.zarrreactive.testkit.codec;

import org.jspecify.annotations.NullMarked;
