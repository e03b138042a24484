// The kernels in terms of one instruction set's vectors. Included by kernels_x86.cpp and
// kernels_wasm.cpp once for each set,
// inside its namespace and with its instructions switched on; therefore without an include guard. Before:
//
//   Shorts: kShorts sums of 16 bits    load, store, plus, minus, store_activations
//   Sums:   kLanes sums of 32 bits     load, store, store_activations, store_fine, hold
//   Bytes:  4 * kLanes bytes           load, spread (four bytes to all lanes)
//   add_products(sums, activations, weights): those of each lane's four pairs of bytes
//   kTall: how many positions a tile has at most; kWide: how many vectors of outputs

// A block of sums stays in registers while all rows pass.
template <int N>
inline void first_block(const RowSum& rows, int begin, int shift, std::int16_t* sums, std::uint8_t* activations) {
    Shorts block[N];
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) block[i] = load_shorts(rows.from + begin + i * kShorts);
    for (const std::int16_t *const *row = rows.added.data(), *const *end = row + rows.added.size(); row != end; ++row) {
#pragma GCC unroll 16
        for (int i = 0; i < N; ++i) block[i] = plus(block[i], load_shorts(*row + begin + i * kShorts));
    }
    for (const std::int16_t *const *row = rows.removed.data(), *const *end = row + rows.removed.size(); row != end;
         ++row) {
#pragma GCC unroll 16
        for (int i = 0; i < N; ++i) block[i] = minus(block[i], load_shorts(*row + begin + i * kShorts));
    }
    const int half = (1 << shift) >> 1;
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) {
        store_shorts(sums + begin + i * kShorts, block[i]);
        store_activations(activations + begin + i * kShorts, block[i], half, shift);
    }
}

inline void first(const RowSum& rows, int width, int shift, std::int16_t* sums, std::uint8_t* activations) {
    constexpr int kLarge = 8 * kShorts;
    constexpr int kSmall = 64;
    int begin = 0;
    for (; begin + kLarge <= width; begin += kLarge) first_block<8>(rows, begin, shift, sums, activations);
    for (; begin < width; begin += kSmall) first_block<kSmall / kShorts>(rows, begin, shift, sums, activations);
}

// What becomes of sums: activations of the next layer, finer ones, or the sums themselves.
struct ToActivations {
    std::uint8_t* out;
    int stride;

    void put(const PackedLayer& layer, int position, int output, Sums sums) const {
        store_activations(out + position * stride + output, sums, layer.scale.data() + output);
    }
};

struct ToFine {
    std::uint8_t* high;
    std::uint8_t* low;
    int stride;

    void put(const PackedLayer& layer, int position, int output, Sums sums) const {
        const std::ptrdiff_t at = std::ptrdiff_t{position} * stride + output;
        store_fine(high + at, low + at, sums, layer.scale.data() + output);
    }
};

struct ToSums {
    std::int32_t* out;
    int stride;

    void put(const PackedLayer&, int position, int output, Sums sums) const {
        store_sums(out + position * stride + output, sums);
    }
};

// P positions times C vectors of outputs from `output` on.
template <int P, int C, class To>
inline void tile(const PackedLayer& layer, const std::uint8_t* in, int position, int output, const To& to) {
    Sums sums[P][C];
#pragma GCC unroll 16
    for (int p = 0; p < P; ++p) {
#pragma GCC unroll 16
        for (int c = 0; c < C; ++c) {
            sums[p][c] = load_sums(layer.bias.data() + output + c * kLanes);
            hold(sums[p][c]);
        }
    }
    const std::ptrdiff_t stride = layer.stride;
    const std::uint8_t* activations = in + position * stride;
    const std::int8_t* weights = layer.fours.data() + output / 16 * 16 * stride;
    // From one block of sixteen outputs to the next.
    const std::ptrdiff_t block = 16 * stride;
    int j = 0;
    do {
        Bytes weight[C];
#pragma GCC unroll 16
        for (int c = 0; c < C; ++c) {
            weight[c] = load_bytes(weights + c * kLanes / 16 * block + c * kLanes % 16 * 4 + 16 * j);
        }
#pragma GCC unroll 16
        for (int p = 0; p < P; ++p) {
            const Bytes activation = spread(activations + p * stride + j);
#pragma GCC unroll 16
            for (int c = 0; c < C; ++c) add_products(sums[p][c], activation, weight[c]);
        }
        j += 4;
    } while (j < layer.in);
#pragma GCC unroll 16
    for (int p = 0; p < P; ++p) {
#pragma GCC unroll 16
        for (int c = 0; c < C; ++c) to.put(layer, position + p, output + c * kLanes, sums[p][c]);
    }
}

// A tile of `tall` <= P positions.
template <int P, int C, class To>
inline void tile_of(int tall, const PackedLayer& layer, const std::uint8_t* in, int position, int output,
                    const To& to) {
    if constexpr (P > 1) {
        if (tall < P) return tile_of<P - 1, C>(tall, layer, in, position, output, to);
    }
    tile<P, C>(layer, in, position, output, to);
}

template <int C, class To>
inline void columns(const PackedLayer& layer, const std::uint8_t* in, int positions, int output, const To& to) {
    // Tiles of equal height, give or take one: a last one of a single row would cost as much as a whole.
    const int tiles = (positions + kTall - 1) / kTall;
    for (int i = 0; i < tiles; ++i) {
        const int begin = positions * i / tiles;
        tile_of<kTall, C>(positions * (i + 1) / tiles - begin, layer, in, begin, output, to);
    }
}

// Outputs outside, positions inside: the weights of a few outputs stay in the first cache.
template <class To>
inline void layer_to(const PackedLayer& layer, const std::uint8_t* in, int positions, const To& to) {
    constexpr int kOutputs = kWide * kLanes;
    int output = 0;
    for (; output + kOutputs <= layer.out; output += kOutputs) columns<kWide>(layer, in, positions, output, to);
    for (; output < layer.out; output += kLanes) columns<1>(layer, in, positions, output, to);
}

inline void dense(const PackedLayer& layer, const std::uint8_t* in, int positions, std::uint8_t* out) {
    layer_to(layer, in, positions, ToActivations{out, activation_stride(layer.out)});
}

inline void fine(const PackedLayer& layer, const std::uint8_t* in, int positions, std::uint8_t* high,
                 std::uint8_t* low) {
    layer_to(layer, in, positions, ToFine{high, low, activation_stride(layer.out)});
}

inline void sums(const PackedLayer& layer, const std::uint8_t* in, int positions, std::int32_t* out) {
    layer_to(layer, in, positions, ToSums{out, layer.out});
}
