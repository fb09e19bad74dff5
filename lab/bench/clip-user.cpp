// CLIP-USER as one would write it in C++ at first, for `npm run bench -- clip-user`: at every drop every grid that the user still
// occupies is evaluated, in O(1) each. Mean and variance, even split, the error bound is the largest initial error.
//
//   clip-user COLUMNS DROPS
//
// COLUMNS: doubles width and epsilon; 32-bit numbers of users, grids, entries and one unused; then columns of 32 bits: per user where
// its entries start and a last one where they end; per entry its grid, ascending within a user; per entry its count.
// DROPS: the entries dropped, in order, 32 bits each. Prints evaluations, seconds, and seconds of processor time, without reading and writing.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <vector>

struct Columns {
  double width, epsilon;
  std::uint32_t users, grids, entries;
  std::vector<std::uint32_t> start, grid, count;
};

struct Grid {
  double total, kept;
  // The counts of the two heaviest users left, and where they stand among the grid's entries by count.
  double first, second;
  std::uint32_t first_at, second_at, end;
};

struct Slot {
  std::uint32_t grid, count, entry;
};

struct Result {
  std::vector<std::uint32_t> drops;
  std::uint64_t evaluations = 0;
};

static Result clip_user(const Columns& in, const std::vector<std::uint32_t>& grid_start, const std::vector<std::uint32_t>& grid_entry) {
  const double bias_mean = in.width, bias_variance = in.width * in.width;
  const double noise_mean = 2 * bias_mean / in.epsilon, noise_variance = 2 * bias_variance / in.epsilon;
  const auto error_of = [&](double total, double kept, double largest) {
    if (kept == 0) return std::numeric_limits<double>::infinity();
    const double dropped = total - kept;
    const double i = std::min(dropped, static_cast<double>(static_cast<std::int64_t>(total) / 2));
    const double j = std::min(largest, static_cast<double>(static_cast<std::int64_t>(kept) / 2));
    return bias_mean * dropped / total + bias_variance * (i * (total - i)) / (total * total) +
           noise_mean * largest / kept + noise_variance * (j * (kept - j)) / (kept * kept);
  };

  std::vector<std::uint32_t> by_count = grid_entry;
  std::vector<std::uint8_t> is_dropped(in.entries, 0);
  std::vector<Grid> grids(in.grids);
  double bound = 0;
  for (std::uint32_t g = 0; g < in.grids; g++) {
    const auto from = by_count.begin() + grid_start[g], to = by_count.begin() + grid_start[g + 1];
    std::sort(from, to, [&](std::uint32_t left, std::uint32_t right) { return in.count[left] > in.count[right]; });
    double total = 0;
    for (auto at = from; at != to; ++at) total += in.count[*at];
    const double first = in.count[*from], second = to - from > 1 ? in.count[from[1]] : 0;
    grids[g] = {total, total, first, second, grid_start[g], grid_start[g] + 1, grid_start[g + 1]};
    bound = std::max(bound, error_of(total, total, first));
  }
  const auto move_marks = [&](Grid& g) {
    while (g.first_at < g.end && is_dropped[by_count[g.first_at]]) g.first_at++;
    g.first = g.first_at < g.end ? in.count[by_count[g.first_at]] : 0;
    g.second_at = std::max(g.second_at, g.first_at + 1);
    while (g.second_at < g.end && is_dropped[by_count[g.second_at]]) g.second_at++;
    g.second = g.second_at < g.end ? in.count[by_count[g.second_at]] : 0;
  };

  std::vector<Slot> slots(in.entries);
  for (std::uint32_t entry = 0; entry < in.entries; entry++) slots[entry] = {in.grid[entry], in.count[entry], entry};
  std::vector<std::uint32_t> occupied(in.users);
  for (std::uint32_t user = 0; user < in.users; user++) occupied[user] = in.start[user + 1] - in.start[user];

  Result result;
  for (std::uint32_t most = *std::max_element(occupied.begin(), occupied.end()); most > 0; most--) {
    for (std::uint32_t user = 0; user < in.users; user++) {
      if (occupied[user] != most) continue;
      Slot* const from = &slots[in.start[user]];
      Slot* best = nullptr;
      double best_error = std::numeric_limits<double>::infinity();
      for (Slot* slot = from; slot != from + most; ++slot) {
        const Grid& g = grids[slot->grid];
        const double error = error_of(g.total, g.kept - slot->count, slot->count == g.first ? g.second : g.first);
        if (error < best_error || (error == best_error && best != nullptr && slot->grid < best->grid)) {
          best = slot;
          best_error = error;
        }
      }
      result.evaluations += most;
      if (best == nullptr || best_error > bound) return result;
      Grid& g = grids[best->grid];
      g.kept -= best->count;
      is_dropped[best->entry] = 1;
      result.drops.push_back(best->entry);
      move_marks(g);
      *best = from[most - 1];
      occupied[user]--;
    }
  }
  return result;
}

template <class Value>
static void read_all(std::FILE* file, Value* values, std::size_t number) {
  if (std::fread(values, sizeof(Value), number, file) != number) std::exit(1);
}

static Columns read_columns(const char* path) {
  Columns in;
  std::uint32_t unused;
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) std::exit(1);
  read_all(file, &in.width, 1);
  read_all(file, &in.epsilon, 1);
  for (std::uint32_t* number : {&in.users, &in.grids, &in.entries, &unused}) read_all(file, number, 1);
  in.start.resize(in.users + 1);
  in.grid.resize(in.entries);
  in.count.resize(in.entries);
  for (std::vector<std::uint32_t>* column : {&in.start, &in.grid, &in.count}) read_all(file, column->data(), column->size());
  std::fclose(file);
  return in;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const Columns in = read_columns(argv[1]);
  // The entries by grid are part of what is given: of the occupancy array, as the planner gets it.
  std::vector<std::uint32_t> grid_start(in.grids + 1, 0), grid_entry(in.entries);
  for (const std::uint32_t g : in.grid) grid_start[g + 1]++;
  for (std::uint32_t g = 0; g < in.grids; g++) grid_start[g + 1] += grid_start[g];
  std::vector<std::uint32_t> next(grid_start.begin(), grid_start.end() - 1);
  for (std::uint32_t entry = 0; entry < in.entries; entry++) grid_entry[next[in.grid[entry]]++] = entry;

  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t begin_processor = std::clock();
  const Result result = clip_user(in, grid_start, grid_entry);
  const double processor = static_cast<double>(std::clock() - begin_processor) / CLOCKS_PER_SEC;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::FILE* const file = std::fopen(argv[2], "wb");
  if (file == nullptr || std::fwrite(result.drops.data(), 4, result.drops.size(), file) != result.drops.size()) return 1;
  std::fclose(file);
  std::printf("%llu %.4f %.4f\n", static_cast<unsigned long long>(result.evaluations), seconds.count(), processor);
}
